// Tokens for who cannot use a key: browsers and scrapers (docs/guide/keys.md#tokens). Who asks has 64 hexadecimal
// digits, the host that answers only their hash.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/access/access_key.hpp"

namespace groma {

/// What a token is good for. The values stand in no file.
enum class WebScope : std::uint8_t { metrics, page };

struct WebScopes {
    bool metrics = true;
    bool page = true;

    [[nodiscard]] bool has(WebScope scope) const { return scope == WebScope::metrics ? metrics : page; }
    bool operator==(const WebScopes&) const = default;
};

[[nodiscard]] std::string_view to_string(WebScope scope);
/// "metrics,page". Throws: UsageError with the names that there are.
[[nodiscard]] std::string to_string(WebScopes scopes);
[[nodiscard]] WebScopes parse_web_scopes(std::string_view text);

/// What a host knows of a token.
struct WebToken {
    std::string name;
    WebScopes scopes{};
    std::optional<Day> last_day{};  ///< in UTC; nothing: it does not expire
    Secret hash{};                  ///< SHA-256 of its digits

    [[nodiscard]] bool expired(WallTime now) const;
    bool operator==(const WebToken&) const = default;
};

/// As 64 hexadecimal digits. `secret`: random.
[[nodiscard]] std::string digits_of_token(const Secret& secret);

/// SHA-256: what is random itself needs no salt and no slow hash.
[[nodiscard]] Secret hash_of_token(std::string_view digits);

/// In constant time.
[[nodiscard]] bool same_hash(const Secret& left, const Secret& right);

inline constexpr std::string_view kTokenExtension = ".token";

/// The text of a host's file (JSON). `file` names it in errors. Throws: UsageError.
[[nodiscard]] std::string text_of(const WebToken& token);
[[nodiscard]] WebToken parse_web_token(std::string_view text, std::string_view file);

/// It looks like one, rather than like a key.
[[nodiscard]] bool is_web_token(std::string_view text);

}  // namespace groma
