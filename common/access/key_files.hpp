// The files of keys. They are read by their owner alone, or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/access/web_token.hpp"
#include "common/net/socket/socket_address.hpp"

namespace groma {

/// A user's key. Throws: SystemError if it cannot be read; UsageError if others may read it, or it is no such key.
[[nodiscard]] AccessKey read_access_key(const std::filesystem::path& file);
/// The key of a user, and where it was found.
struct UserKey {
    AccessKey key;
    /// A key that was not asked for with --key is not offered on loopback, where a user's own programs need none.
    bool asked_for = false;
    std::string file{};

    /// What to offer to a host; `address` is its address. Throws: UsageError, as host_label().
    [[nodiscard]] std::optional<OfferedKey> offered_to(std::string_view host, const SocketAddress& address) const;
    /// The same before the address is known.
    [[nodiscard]] std::optional<OfferedKey> offered_to(std::string_view host) const;
};

/// What is offered to a host, as a user writes it, at an address; nothing: no key. Throws: UsageError, as host_label().
using OfferKey = std::function<std::optional<OfferedKey>(std::string_view host, const SocketAddress& address)>;
[[nodiscard]] OfferKey offers_of(std::optional<UserKey> key);
[[nodiscard]] OfferKey offers_of(std::vector<OfferedKey> handed_over);

/// The key that `given` (--key) names, else that of the variable GROMA_KEY, else groma/key below $XDG_CONFIG_HOME or
/// ~/.config, where it is there. "none" for one of the first two: no key. Null or empty: not set. Throws: as
/// read_access_key().
[[nodiscard]] std::optional<UserKey> find_user_key(const std::string& given, const char* variable,
                                                   const char* xdg_config_home, const char* home);

/// A host's part of a key. Throws: as read_access_key().
[[nodiscard]] KnownKey read_known_key(const std::filesystem::path& file);

/// Of whichever kind. Throws: as read_access_key().
[[nodiscard]] std::variant<AccessKey, KnownKey, WebToken> read_key(const std::filesystem::path& file);

/// The text of a file that is to be secret, of this user or root. Throws: SystemError; UsageError if others may read
/// it.
[[nodiscard]] std::string read_secret_file(const std::filesystem::path& file);

/// The keys of a daemon, by their ids.
class KeyRing {
public:
    struct Entry {
        Grant grant;
        Secret secret;
        std::string file{};
    };

    KeyRing() = default;
    /// `file` names the key in errors. Throws: UsageError if it shares an id with one that was added.
    void add(const KnownKey& key, std::string_view file);

    /// Null: no such key. An expired one is found as well.
    [[nodiscard]] const Entry* find(const Token& id) const;
    [[nodiscard]] bool some_expire() const;
    /// Of the keys of this name, the one with the lowest Limits::log_bytes. Null: there is none.
    [[nodiscard]] const Grant* fewest_log_bytes(std::string_view name) const;
    /// Files, not names of hosts.
    [[nodiscard]] std::size_t keys() const { return keys_; }

private:
    std::map<Token, Entry> entries_;
    std::size_t keys_ = 0;
};

/// The folder is that in which a service manager hands over what it was given at the start (systemd.exec(5)).
[[nodiscard]] bool is_folder_of_credentials(const std::filesystem::path& folder);

/// All files *.key of a folder. Throws: SystemError if it cannot be read; UsageError if others may write in it; without
/// `bad` also as read_known_key(), and UsageError if two files hold the same key.
/// `bad`: takes a sentence about each such file instead, which is then left out.
[[nodiscard]] KeyRing read_key_folder(const std::filesystem::path& folder,
                                      const std::function<void(const std::string&)>& bad = {});

/// The same for all files *.token.
[[nodiscard]] std::vector<WebToken> read_token_folder(const std::filesystem::path& folder,
                                                      const std::function<void(const std::string&)>& bad = {});

}  // namespace groma
