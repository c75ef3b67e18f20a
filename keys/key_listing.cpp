#include "keys/key_listing.hpp"

#include <optional>
#include <variant>

#include "common/access/key_files.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/table.hpp"
#include "common/cli/usage_errors.hpp"

namespace groma {

namespace {

using EitherKey = std::variant<AccessKey, KnownKey>;

/// Returns: what UsageError says; empty if there is none.
template <typename Read>
std::string refusal(const Read& read) {
    try {
        read();
        return {};
    } catch (const UsageError& error) {
        return error.what();
    }
}

/// Throws: UsageError with the reason of the kind that the file is of.
EitherKey read_either(const std::filesystem::path& file) {
    std::optional<EitherKey> key;
    const std::string as_user = refusal([&] { key = read_access_key(file); });
    const std::string as_host = as_user.empty() ? "" : refusal([&] { key = read_known_key(file); });
    if (key) {
        return *key;
    }
    const std::string name = file.string();
    const bool is_host =
        as_user == refusal([&] { static_cast<void>(parse_access_key(R"({"groma_key": "host"})", name)); });
    const bool is_user =
        as_host == refusal([&] { static_cast<void>(parse_known_key(R"({"groma_key": "user"})", name)); });
    if (is_host or is_user or as_user == as_host) {
        throw UsageError(is_host ? as_host : as_user);
    }
    throw UsageError(plain_text(name) +
                     " is neither a user's key nor a host's part of one: groma-key new and groma-key host make them");
}

std::string last_day(const Grant& grant, WallTime now) {
    return grant.last_day ? to_string(*grant.last_day) + (grant.expired(now) ? " (expired)" : "") : "none";
}

std::string hosts_of(const KnownKey& key) {
    std::string text;
    for (const HostEntry& entry : key.hosts) {
        text += (text.empty() ? "" : ", ") + entry.host;
    }
    return text;
}

}  // namespace

std::string key_listing(std::span<const std::filesystem::path> files, WallTime now) {
    Table table({{"file", Align::left},
                 {"kind", Align::left},
                 {"name", Align::left},
                 {"roles", Align::left},
                 {"last day", Align::left},
                 {"hosts", Align::left}});
    UsageErrors errors;
    for (const std::filesystem::path& file : files) {
        try {
            const EitherKey key = read_either(file);
            const auto* const part = std::get_if<KnownKey>(&key);
            const Grant& grant = part != nullptr ? part->grant : std::get<AccessKey>(key).grant;
            table.add_row({plain_text(file.string()), part != nullptr ? "host" : "user", grant.name,
                           to_string(grant.roles), last_day(grant, now), part != nullptr ? hosts_of(*part) : "-"});
        } catch (const UsageError& error) {
            errors.add(error.what());
        }
    }
    errors.throw_if_any();
    return table.to_string();
}

}  // namespace groma
