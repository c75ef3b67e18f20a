// Keys that open daemons to those who hold them (docs/guide/keys.md).
//
// A user holds an AccessKey. From it a key is derived for each host, by the name that is written after --to. The host
// keeps that one alone, as a KnownKey: who takes it can open this host, and no other.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/access/limits.hpp"
#include "common/base/token.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// What a key is good for. The values stand in no file.
enum class Role : std::uint8_t {
    receive,  ///< have a host receive and log
    send,     ///< have a host send
    ship,     ///< write logs to a log server
    view,     ///< look on
    admin,    ///< change and end what others have
};

inline constexpr std::array kRoles{Role::receive, Role::send, Role::ship, Role::view, Role::admin};

class Roles {
public:
    constexpr Roles() = default;
    constexpr Roles(std::initializer_list<Role> roles) {
        for (const Role role : roles) {
            bits_ |= bit(role);
        }
    }

    [[nodiscard]] constexpr bool has(Role role) const { return (bits_ & bit(role)) != 0; }
    [[nodiscard]] constexpr Roles with(Role role) const {
        Roles more = *this;
        more.bits_ |= bit(role);
        return more;
    }
    bool operator==(const Roles&) const = default;

private:
    static constexpr std::uint8_t bit(Role role) {
        return static_cast<std::uint8_t>(1U << static_cast<unsigned>(role));
    }
    std::uint8_t bits_ = 0;
};

[[nodiscard]] std::string_view to_string(Role role);
/// "receive,send". Throws: UsageError with the names that there are.
[[nodiscard]] std::string to_string(Roles roles);
[[nodiscard]] Roles parse_roles(std::string_view text);

/// 32 random bytes; wiped when it goes.
class Secret {
public:
    static constexpr std::size_t kBytes = 32;

    Secret() = default;
    explicit Secret(std::span<const std::byte, kBytes> bytes);
    Secret(const Secret&) = default;
    Secret& operator=(const Secret&) = default;
    ~Secret();

    [[nodiscard]] std::span<const std::byte, kBytes> bytes() const { return bytes_; }
    bool operator==(const Secret&) const = default;

private:
    std::array<std::byte, kBytes> bytes_{};
};

/// As base64. Throws: UsageError, which does not show the text.
[[nodiscard]] std::string to_string(const Secret& secret);
[[nodiscard]] Secret parse_secret(std::string_view text);

/// What both sides of a connection have. The id is all of it that travels, and tells nothing of the user or the host.
struct SharedKey {
    Token id{};
    Secret secret{};

    bool operator==(const SharedKey&) const = default;
};

struct Day {
    std::chrono::year_month_day date{};

    bool operator==(const Day&) const = default;
};

/// "2027-11-25", from 1970 on. Throws: UsageError.
[[nodiscard]] std::string to_string(const Day& day);
[[nodiscard]] Day parse_day(std::string_view text);
/// In UTC.
[[nodiscard]] bool is_over(const Day& day, WallTime now);

/// Beginnings of names.
struct Prefixes {
    std::vector<std::string> all{};  ///< none: any name will do

    [[nodiscard]] bool cover(std::string_view name) const;
    bool operator==(const Prefixes&) const = default;
};

/// "voip-,lab.". Throws: UsageError.
[[nodiscard]] std::string to_string(const Prefixes& prefixes);
[[nodiscard]] Prefixes parse_prefixes(std::string_view text);

/// Who holds a key, and what for. On a host it is what the host's own file says that counts.
struct Grant {
    std::string name;
    Roles roles{};
    std::optional<Day> last_day{};  ///< in UTC; nothing: it does not expire
    Prefixes experiments{};         ///< that may be shipped to a log server
    Limits limits{};

    [[nodiscard]] bool expired(WallTime now) const;
    bool operator==(const Grant&) const = default;
};

/// Why the key is not good for it, and what to do; empty: it has the role.
[[nodiscard]] std::string lack_in_words(const Grant& grant, Role needed);
/// The same for an experiment that is to be shipped.
[[nodiscard]] std::string lack_in_words(const Grant& grant, std::string_view experiment);

/// Which limit of the key does not allow what is asked for beside what is under way, or to send there (port 0: not
/// known yet), and what to do; empty: they do.
[[nodiscard]] std::string refusal_in_words(const Grant& grant, const Load& asked, const Load& beside);
[[nodiscard]] std::string refusal_in_words(const Grant& grant, const SocketAddress& to);
/// As fullness_in_words(), and what to do.
[[nodiscard]] std::string fullness_in_words(const Grant& grant, Bytes used);
[[nodiscard]] std::string spool_fullness_in_words(const Grant& grant);

inline constexpr std::size_t kLongestKeyName = 64;
/// Letters, digits, '.', '_' and '-'. Throws: UsageError.
[[nodiscard]] std::string parse_key_name(std::string_view text);

/// What a user's key offers to a host.
struct OfferedKey {
    std::string name;  ///< of the user's key
    std::string host;  ///< its label
    SharedKey key{};
    std::string file{};  ///< of the user's key; empty: this program read none

    bool operator==(const OfferedKey&) const = default;
};

/// Why a peer may have refused it: "does not take the key 'lab' for the host 'beta': ...". `program`: the peer's.
[[nodiscard]] std::string untaken_in_words(const OfferedKey& key, std::string_view program);

struct AccessKey {
    Grant grant;
    Secret secret{};

    /// `host` as a user writes it. Throws: UsageError, as host_label().
    [[nodiscard]] OfferedKey offered_to(std::string_view host) const;

    /// HKDF-SHA256 (RFC 5869) of the secret, with the host's name in its info. `host` as host_label() gives it.
    [[nodiscard]] SharedKey shared_with(std::string_view host) const;
    bool operator==(const AccessKey&) const = default;
};

/// One host under one of its names.
struct HostEntry {
    std::string host;
    SharedKey key{};

    bool operator==(const HostEntry&) const = default;
};

/// A host's part of a user's key.
struct KnownKey {
    Grant grant;
    std::vector<HostEntry> hosts;

    bool operator==(const KnownKey&) const = default;
};

inline constexpr std::size_t kMostNamesOfHost = 64;

/// The form of a host's name that keys are made for: lower case, without a last dot; addresses as they are usually
/// written, without an interface. Throws: UsageError for what is neither a name nor an address.
[[nodiscard]] std::string host_label(std::string_view host);

/// Requires: labels.
[[nodiscard]] KnownKey known_by_host(const AccessKey& key, std::span<const std::string> labels);

/// The text of a key's file (JSON). `file` names it in errors. Throws: UsageError with the file, what is wrong with it,
/// and what to do; also for the file of the other kind.
[[nodiscard]] std::string text_of(const AccessKey& key);
[[nodiscard]] std::string text_of(const KnownKey& key);
[[nodiscard]] AccessKey parse_access_key(std::string_view text, std::string_view file);
[[nodiscard]] KnownKey parse_known_key(std::string_view text, std::string_view file);
/// Of whichever kind.
[[nodiscard]] std::variant<AccessKey, KnownKey> parse_key(std::string_view text, std::string_view file);

}  // namespace groma
