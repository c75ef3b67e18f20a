#include "common/access/key_files.hpp"

#include <fcntl.h>
#include <openssl/crypto.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

constexpr std::size_t kLargestKeyFile = std::size_t{64} << 10U;
constexpr mode_t kOfOthers = S_IRWXG | S_IRWXO;
constexpr mode_t kWritableByOthers = S_IWGRP | S_IWOTH;
/// What a service manager hands over may be root's, with an access list for the service's user alone. The bits of the
/// group then show what that list gives at most (acl(5), systemd.exec(5) LoadCredential=).
constexpr mode_t kOfAccessList = S_IRGRP;
constexpr std::string_view kKeyExtension = ".key";

bool is_trusted_owner(uid_t owner) {
    return owner == ::geteuid() or owner == 0;
}

/// Whose user's key may be used.
enum class Owners : std::uint8_t {
    trusted,
    any_for_root,  ///< root may work for a user
};

void require_private(const struct stat& about, const std::string& name, Owners owners, bool is_credential) {
    if (not S_ISREG(about.st_mode)) {
        throw UsageError(name + " is no key: it is not a file");
    }
    const bool for_user = owners == Owners::any_for_root and ::geteuid() == 0;
    if (not for_user and not is_trusted_owner(about.st_uid)) {
        throw UsageError(name + " belongs to another user, who may change it: use a key of your own");
    }
    const mode_t allowed = is_credential and about.st_uid == 0 ? kOfAccessList : 0;
    if ((about.st_mode & kOfOthers & ~allowed) != 0) {
        throw UsageError(name + " can be read by others, so that it may be theirs already: chmod 600 " + name +
                         " if they have not seen it, or make another key");
    }
}

std::string read_private_file(const std::filesystem::path& file, Owners owners) {
    const std::string name = plain_text(file.string());
    // Opening a FIFO must not wait for its writer.
    const FileDescriptor fd(checked("read the key " + name, ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)));
    struct stat about {};
    checked("look at the key " + name, ::fstat(fd.get(), &about));
    require_private(about, name, owners, is_folder_of_credentials(file.parent_path()));
    std::string text;
    std::array<char, 4096> piece{};
    while (true) {
        const ssize_t bytes = checked("read the key " + name, ::read(fd.get(), piece.data(), piece.size()));
        if (bytes == 0) {
            OPENSSL_cleanse(piece.data(), piece.size());
            return text;
        }
        text.append(piece.data(), static_cast<std::size_t>(bytes));
        if (text.size() > kLargestKeyFile) {
            throw UsageError(name + " is no key: it is larger than 64 KiB");
        }
    }
}

/// Those of a folder that nobody else may write to, in their order. Throws: as read_key_folder().
std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder, std::string_view extension) {
    const std::string name = plain_text(folder.string());
    struct stat about {};
    checked("read the folder of keys " + name, ::stat(folder.c_str(), &about), "make it: mkdir -m 700 " + name);
    if (not S_ISDIR(about.st_mode)) {
        throw UsageError(name + " is no folder: --keys takes the folder that holds the files *.key");
    }
    if (not is_trusted_owner(about.st_uid)) {
        throw UsageError(name + " belongs to another user, who may put keys into it: make it yours (chown)");
    }
    if ((about.st_mode & kWritableByOthers) != 0) {
        throw UsageError("others may put keys into " + name + ": make it yours alone (chmod 700 " + name + ")");
    }
    std::vector<std::filesystem::path> files;
    std::error_code error;
    for (std::filesystem::directory_iterator file(folder, error), end; file != end and not error;
         file.increment(error)) {
        if (file->path().extension() == extension) {
            files.push_back(file->path());
        }
    }
    if (error) {
        throw SystemError("read the folder of keys " + name, error.value());
    }
    std::ranges::sort(files);
    return files;
}

/// `take`: reads one, and throws for what is none.
void read_each(const std::filesystem::path& folder, std::string_view extension,
               const std::function<void(const std::string&)>& bad,
               const std::function<void(const std::filesystem::path&)>& take) {
    for (const std::filesystem::path& file : files_of(folder, extension)) {
        try {
            take(file);
        } catch (const std::runtime_error& wrong) {
            if (not bad) {
                throw;
            }
            bad(wrong.what());
        }
    }
}

}  // namespace

bool is_folder_of_credentials(const std::filesystem::path& folder) {
    const char* const credentials = std::getenv("CREDENTIALS_DIRECTORY");
    return credentials != nullptr and *credentials != '\0' and folder == std::filesystem::path(credentials);
}

AccessKey read_access_key(const std::filesystem::path& file) {
    return parse_access_key(read_private_file(file, Owners::any_for_root), file.string());
}

std::optional<OfferedKey> UserKey::offered_to(std::string_view host, const SocketAddress& address) const {
    if (not asked_for and address.is_loopback()) {
        return std::nullopt;
    }
    OfferedKey offered = key.offered_to(host);
    offered.file = file;
    return offered;
}

std::optional<OfferedKey> UserKey::offered_to(std::string_view host) const {
    const std::string_view literal = host == "localhost" ? "127.0.0.1" : host;
    return offered_to(host, SocketAddress::parse_literal(literal).value_or(SocketAddress()));
}

OfferKey offers_of(std::optional<UserKey> key) {
    return [key = std::move(key)](std::string_view host, const SocketAddress& address) {
        return key ? key->offered_to(host, address) : std::nullopt;
    };
}

OfferKey offers_of(std::vector<OfferedKey> handed_over) {
    return [keys = std::move(handed_over)](std::string_view host, const SocketAddress& /*address*/) {
        const auto key = keys.empty() ? keys.end() : std::ranges::find(keys, host_label(host), &OfferedKey::host);
        return key == keys.end() ? std::nullopt : std::optional(*key);
    };
}

std::optional<UserKey> find_user_key(const std::string& given, const char* variable, const char* xdg_config_home,
                                     const char* home) {
    const auto set = [](const char* text) { return text != nullptr and *text != '\0'; };
    const std::string named = not given.empty() ? given : set(variable) ? variable : "";
    if (named == "none") {
        return std::nullopt;
    }
    if (not given.empty()) {
        return UserKey{.key = read_access_key(given), .asked_for = true, .file = given};
    }
    if (not named.empty()) {
        try {
            return UserKey{.key = read_access_key(named), .file = named};
        } catch (const std::exception& error) {
            throw UsageError("GROMA_KEY: " + std::string(error.what()));
        }
    }
    std::filesystem::path usual;
    if (set(xdg_config_home)) {
        usual = xdg_config_home;
    } else if (set(home)) {
        usual = std::filesystem::path(home) / ".config";
    }
    std::error_code error;
    usual /= "groma/key";
    // Not there, or in a folder that is another user's, as HOME may be.
    if (usual.is_relative() or not std::filesystem::exists(usual, error)) {
        return std::nullopt;
    }
    return UserKey{.key = read_access_key(usual), .file = usual.string()};
}

KnownKey read_known_key(const std::filesystem::path& file) {
    return parse_known_key(read_private_file(file, Owners::trusted), file.string());
}

std::variant<AccessKey, KnownKey, WebToken> read_key(const std::filesystem::path& file) {
    const std::string text = read_private_file(file, Owners::any_for_root);
    if (is_web_token(text)) {
        return parse_web_token(text, file.string());
    }
    return std::visit([](auto key) { return std::variant<AccessKey, KnownKey, WebToken>(std::move(key)); },
                      parse_key(text, file.string()));
}

std::string read_secret_file(const std::filesystem::path& file) {
    return read_private_file(file, Owners::trusted);
}

void KeyRing::add(const KnownKey& key, std::string_view file) {
    for (const HostEntry& host : key.hosts) {
        const auto [entry, added] = entries_.emplace(
            host.key.id, Entry{.grant = key.grant, .secret = host.key.secret, .file = std::string(file)});
        if (not added) {
            throw UsageError("the same key of " + host.host + " is in " + plain_text(entry->second.file) + " and in " +
                             plain_text(file) + ": leave it in one of them, once");
        }
    }
    ++keys_;
}

const KeyRing::Entry* KeyRing::find(const Token& id) const {
    const auto found = entries_.find(id);
    return found == entries_.end() ? nullptr : &found->second;
}

bool KeyRing::some_expire() const {
    return std::ranges::any_of(entries_, [](const auto& each) { return each.second.grant.last_day.has_value(); });
}

const Grant* KeyRing::fewest_log_bytes(std::string_view name) const {
    constexpr Bytes kNoLimit{std::numeric_limits<std::uint64_t>::max()};
    const Grant* fewest = nullptr;
    for (const auto& [id, entry] : entries_) {
        const bool fewer = fewest == nullptr or entry.grant.limits.log_bytes.value_or(kNoLimit).count <
                                                    fewest->limits.log_bytes.value_or(kNoLimit).count;
        if (entry.grant.name == name and fewer) {
            fewest = &entry.grant;
        }
    }
    return fewest;
}

KeyRing read_key_folder(const std::filesystem::path& folder, const std::function<void(const std::string&)>& bad) {
    KeyRing ring;
    read_each(folder, kKeyExtension, bad,
              [&ring](const std::filesystem::path& file) { ring.add(read_known_key(file), file.string()); });
    return ring;
}

std::vector<WebToken> read_token_folder(const std::filesystem::path& folder,
                                        const std::function<void(const std::string&)>& bad) {
    std::vector<WebToken> tokens;
    read_each(folder, kTokenExtension, bad, [&tokens](const std::filesystem::path& file) {
        tokens.push_back(parse_web_token(read_secret_file(file), file.string()));
    });
    return tokens;
}

}  // namespace groma
