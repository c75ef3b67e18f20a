#include "keys/key_listing.hpp"

#include <variant>

#include "common/access/key_files.hpp"
#include "common/access/web_token.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/table.hpp"
#include "common/cli/usage_errors.hpp"

namespace groma {

namespace {

std::string in_words(const std::optional<Day>& last_day, WallTime now) {
    return last_day ? to_string(*last_day) + (is_over(*last_day, now) ? " (expired)" : "") : "none";
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
                 {"experiments", Align::left},
                 {"limits", Align::left},
                 {"hosts", Align::left}});
    UsageErrors errors;
    for (const std::filesystem::path& file : files) {
        try {
            const std::variant<AccessKey, KnownKey, WebToken> key = read_key(file);
            if (const auto* const token = std::get_if<WebToken>(&key)) {
                table.add_row({plain_text(file.string()), "token", token->name, to_string(token->scopes),
                               in_words(token->last_day, now), "-", "-", "-"});
                continue;
            }
            const auto* const part = std::get_if<KnownKey>(&key);
            const Grant& grant = part != nullptr ? part->grant : std::get<AccessKey>(key).grant;
            table.add_row(
                {plain_text(file.string()), part != nullptr ? "host" : "user", grant.name, to_string(grant.roles),
                 in_words(grant.last_day, now), grant.experiments.all.empty() ? "all" : to_string(grant.experiments),
                 grant.limits == Limits() ? "none" : to_string(grant.limits), part != nullptr ? hosts_of(*part) : "-"});
        } catch (const UsageError& error) {
            errors.add(error.what());
        }
    }
    errors.throw_if_any();
    return table.to_string();
}

}  // namespace groma
