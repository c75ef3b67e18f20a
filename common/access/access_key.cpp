#include "common/access/access_key.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "common/access/hkdf.hpp"
#include "common/access/key_text.hpp"
#include "common/base/base64.hpp"
#include "common/base/errors.hpp"
#include "common/base/lower_case.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/net/socket/socket_address.hpp"

namespace groma {

namespace {

constexpr std::array<std::string_view, kRoles.size()> kRoleNames{"receive", "send", "ship", "view", "admin"};

constexpr std::string_view kUserKind = "user";
constexpr std::string_view kHostKind = "host";
constexpr std::array<std::string_view, 7> kUserFields{"groma_key",   "name",   "roles", "last_day",
                                                      "experiments", "limits", "secret"};
constexpr std::array<std::string_view, 7> kHostFields{"groma_key",   "name",   "roles", "last_day",
                                                      "experiments", "limits", "hosts"};
constexpr std::array<std::string_view, 3> kFieldsOfHosts{"host", "id", "secret"};
constexpr std::size_t kLongestHost = 253;  // of a name (RFC 1035, 2.3.4)

bool is_name(std::string_view text, std::string_view others) {
    return std::ranges::all_of(text, [others](char c) {
        return (c >= 'a' and c <= 'z') or (c >= 'A' and c <= 'Z') or (c >= '0' and c <= '9') or
               others.find(c) != std::string_view::npos;
    });
}

template <typename Fields>
void describe_grant(Fields& fields, As<Fields, Grant>& grant) {
    fields("name", grant.name, UpTo{kLongestKeyName});
    fields.when_read("name", [&grant] { static_cast<void>(parse_key_name(grant.name)); });
    fields.as("roles", grant.roles, &parse_roles);
    fields.as_unless(std::nullopt, "last_day", grant.last_day, &parse_day);
    fields.as_unless(Prefixes(), "experiments", grant.experiments, &parse_prefixes);
    fields.as_unless(Limits(), "limits", grant.limits, &parse_limits);
}

/// Of either kind. Throws: UsageError without the file's name.
std::variant<AccessKey, KnownKey> key_from(std::string_view text) {
    const nlohmann::json json = json_of_key(text);
    const std::string kind = kind_of_key(json);
    if (kind == kUserKind) {
        require_known(json, kUserFields);
        return from_json<AccessKey>(json);
    }
    if (kind != kHostKind) {
        throw UsageError("it does not begin like one (groma-key new NAME > FILE makes one)");
    }
    require_known(json, kHostFields);
    for (const nlohmann::json& host : json.value("hosts", nlohmann::json::array())) {
        require_known(host, kFieldsOfHosts);
    }
    return from_json<KnownKey>(json);
}

/// `advice`: where a key of the other kind belongs.
template <typename Key>
Key key_of_kind(std::string_view text, std::string_view file, std::string_view kind, const char* advice) {
    try {
        const std::variant<AccessKey, KnownKey> key = key_from(text);
        if (const Key* const wanted = std::get_if<Key>(&key)) {
            return *wanted;
        }
        throw UsageError(advice);
    } catch (const UsageError& error) {
        throw UsageError(plain_text(file) + " is no " + std::string(kind) + " key: " + error.what());
    }
}

/// `excess`: as limits.hpp says it; empty stays empty.
std::string with_advice(const Grant& grant, const std::string& excess) {
    return excess.empty() ? excess
                          : "the key '" + grant.name + "' allows " + excess +
                                ": whoever keeps the folder of keys there can change that (groma-key host FILE HOST "
                                "--limits NAME=VALUE,...)";
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, As<Fields, HostEntry>& entry) {
    fields("host", entry.host, UpTo{kLongestHost});
    fields.when_read("host", [&entry] {
        if (const std::string label = host_label(entry.host); label != entry.host) {
            throw UsageError("write it as " + label);
        }
    });
    fields("id", entry.key.id);
    fields.as("secret", entry.key.secret, &parse_secret);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, AccessKey>& key) {
    describe_grant(fields, key.grant);
    fields.as("secret", key.secret, &parse_secret);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, KnownKey>& key) {
    describe_grant(fields, key.grant);
    fields("hosts", key.hosts, Most{kMostNamesOfHost});
    fields.require(not key.hosts.empty(), "'hosts' must have at least one element");
}

std::string_view to_string(Role role) {
    return kRoleNames.at(static_cast<std::size_t>(role));
}

std::string to_string(Roles roles) {
    std::string text;
    for (const Role role : kRoles) {
        if (roles.has(role)) {
            text.append(text.empty() ? "" : ",").append(to_string(role));
        }
    }
    return text;
}

Roles parse_roles(std::string_view text) {
    Roles roles;
    std::string_view rest = text;
    while (true) {
        const std::string_view word = rest.substr(0, rest.find(','));
        const auto* const found = std::ranges::find(kRoleNames, word);
        if (found == kRoleNames.end()) {
            throw UsageError("'" + plain_text(word, kLongestKeyName) + "' is no role: write one or several of " +
                             one_of(kRoleNames) + ", with ',' between them" + did_you_mean(word, kRoleNames));
        }
        roles = roles.with(kRoles.at(static_cast<std::size_t>(found - kRoleNames.begin())));
        if (word.size() == rest.size()) {
            return roles;
        }
        rest.remove_prefix(word.size() + 1);
    }
}

Secret::Secret(std::span<const std::byte, kBytes> bytes) {
    std::ranges::copy(bytes, bytes_.begin());
}

Secret::~Secret() {
    OPENSSL_cleanse(bytes_.data(), bytes_.size());
}

std::string to_string(const Secret& secret) {
    return base64(secret.bytes());
}

Secret parse_secret(std::string_view text) {
    auto bytes = bytes_of_base64(text);
    if (not bytes or bytes->size() != Secret::kBytes) {
        throw UsageError("a secret must be 32 bytes as base64, 44 characters");
    }
    const Secret secret{std::span<const std::byte, Secret::kBytes>(*bytes)};
    OPENSSL_cleanse(bytes->data(), bytes->size());
    return secret;
}

std::string to_string(const Day& day) {
    const auto padded = [](unsigned number) { return (number < 10 ? "-0" : "-") + std::to_string(number); };
    return std::to_string(static_cast<int>(day.date.year())) + padded(static_cast<unsigned>(day.date.month())) +
           padded(static_cast<unsigned>(day.date.day()));
}

Day parse_day(std::string_view text) {
    constexpr std::size_t kMonthAt = 5;
    constexpr std::size_t kDayAt = 8;
    constexpr std::chrono::year kFirstYear{1970};
    unsigned year = 0;
    unsigned month = 0;
    unsigned day = 0;
    const auto number = [text](std::size_t from, std::size_t to, unsigned& value) {
        return text.size() >= to and
               std::from_chars(text.data() + from, text.data() + to, value).ptr == text.data() + to;
    };
    const bool read = text.size() == std::string_view("2027-11-25").size() and text[kMonthAt - 1] == '-' and
                      text[kDayAt - 1] == '-' and number(0, kMonthAt - 1, year) and
                      number(kMonthAt, kDayAt - 1, month) and number(kDayAt, text.size(), day);
    const std::chrono::year_month_day date{std::chrono::year{static_cast<int>(year)}, std::chrono::month{month},
                                           std::chrono::day{day}};
    if (not read or not date.ok() or date.year() < kFirstYear) {
        throw UsageError("'" + plain_text(text, kLongestKeyName) + "' is no day: write one as 2027-11-25");
    }
    return {date};
}

bool is_over(const Day& day, WallTime now) {
    const auto today = std::chrono::floor<std::chrono::days>(std::chrono::nanoseconds(ns_since_epoch(now)));
    return today > std::chrono::sys_days(day.date).time_since_epoch();
}

bool Grant::expired(WallTime now) const {
    return last_day and is_over(*last_day, now);
}

std::string lack_in_words(const Grant& grant, Role needed) {
    if (grant.roles.has(needed)) {
        return {};
    }
    const std::string role(to_string(needed));
    return "the key '" + grant.name + "' has the roles " + to_string(grant.roles) +
           " on this host, and this takes the role " + role +
           ": whoever keeps its folder of keys can give it (groma-key host FILE HOST --role " + to_string(grant.roles) +
           "," + role + ")";
}

std::string lack_in_words(const Grant& grant, std::string_view experiment) {
    if (grant.experiments.cover(experiment)) {
        return {};
    }
    return "the key '" + grant.name + "' may write logs of experiments here whose names begin with " +
           to_string(grant.experiments) +
           ": whoever keeps the folder of keys there can change that (groma-key host FILE HOST --experiments "
           "PREFIX,...)";
}

std::string refusal_in_words(const Grant& grant, const Load& asked, const Load& beside) {
    return with_advice(grant, excess_in_words(grant.limits, asked, beside));
}

std::string refusal_in_words(const Grant& grant, const SocketAddress& to) {
    return with_advice(grant, misdirection_in_words(grant.limits, to));
}

std::string fullness_in_words(const Grant& grant, Bytes used) {
    return with_advice(grant, fullness_in_words(grant.limits, used));
}

std::string spool_fullness_in_words(const Grant& grant) {
    return with_advice(grant, spool_fullness_in_words(grant.limits));
}

bool Prefixes::cover(std::string_view name) const {
    return all.empty() or std::ranges::any_of(all, [name](const auto& prefix) { return name.starts_with(prefix); });
}

std::string to_string(const Prefixes& prefixes) {
    std::string text;
    for (const std::string& prefix : prefixes.all) {
        text += (text.empty() ? "" : ",") + prefix;
    }
    return text;
}

Prefixes parse_prefixes(std::string_view text) {
    constexpr std::size_t kMost = 32;
    Prefixes prefixes;
    while (true) {
        const std::string_view one = text.substr(0, text.find(','));
        if (one.empty() or one.size() > kLongestKeyName or not is_name(one, "._-") or prefixes.all.size() == kMost) {
            throw UsageError("'" + plain_text(one, kLongestKeyName) + "' is no beginning of names: give up to " +
                             std::to_string(kMost) + " of up to " + std::to_string(kLongestKeyName) +
                             " letters, digits, '.', '_' and '-', with ',' between them");
        }
        prefixes.all.emplace_back(one);
        if (one.size() == text.size()) {
            return prefixes;
        }
        text.remove_prefix(one.size() + 1);
    }
}

std::string untaken_in_words(const OfferedKey& key, std::string_view program) {
    return "does not take the key '" + key.name + "' for the host '" + key.host +
           "': its part there (groma-key host FILE " + key.host + ", in the folder that " + std::string(program) +
           " has as --keys) is missing, of another key, or has expired; or it is new, and " + std::string(program) +
           " has not read it yet (kill -HUP its process, or restart its service); or it was started without --keys";
}

std::string parse_key_name(std::string_view text) {
    if (text.empty() or text.size() > kLongestKeyName or not is_name(text, "._-") or text.front() == '-') {
        throw UsageError("'" + plain_text(text, kLongestKeyName) + "' is no name of a key: use 1 to " +
                         std::to_string(kLongestKeyName) + " letters, digits, '.', '_' and '-', not '-' first");
    }
    return std::string(text);
}

std::string host_label(std::string_view host) {
    // An interface (fe80::1%eth0) is called otherwise on each host.
    if (const auto address = SocketAddress::parse_literal(host.substr(0, host.find('%')))) {
        std::string text = address->host_to_string();
        constexpr std::string_view kMapped = "::ffff:";
        return address->is_ipv4() and text.starts_with(kMapped) ? text.substr(kMapped.size()) : text;
    }
    std::string label = in_lower_case(host.ends_with('.') ? host.substr(0, host.size() - 1) : host);
    const bool empty_part =
        label.empty() or label.front() == '.' or label.back() == '.' or label.find("..") != std::string::npos;
    if (empty_part or label.front() == '-' or label.size() > kLongestHost or not is_name(label, "._-")) {
        throw UsageError("'" + plain_text(host, kLongestHost) + "' is neither a host's name nor an address");
    }
    return label;
}

SharedKey AccessKey::shared_with(std::string_view host) const {
    const std::string info = "groma key of host " + std::string(host);
    std::array<std::byte, Secret::kBytes + sizeof(Token)> bytes{};
    hkdf_sha256(secret.bytes(), {}, info, bytes);
    SharedKey shared{.id = {}, .secret = Secret(std::span(bytes).first<Secret::kBytes>())};
    std::ranges::copy(std::span(bytes).last<sizeof(Token)>(), shared.id.begin());
    OPENSSL_cleanse(bytes.data(), bytes.size());
    return shared;
}

OfferedKey AccessKey::offered_to(std::string_view host) const {
    std::string label = host_label(host);
    SharedKey key = shared_with(label);
    return {.name = grant.name, .host = std::move(label), .key = key};
}

KnownKey known_by_host(const AccessKey& key, std::span<const std::string> labels) {
    KnownKey known{.grant = key.grant, .hosts = {}};
    for (const std::string& label : labels) {
        known.hosts.push_back({.host = label, .key = key.shared_with(label)});
    }
    return known;
}

std::string text_of(const AccessKey& key) {
    return key_text(key, kUserKind);
}

std::string text_of(const KnownKey& key) {
    return key_text(key, kHostKind);
}

AccessKey parse_access_key(std::string_view text, std::string_view file) {
    return key_of_kind<AccessKey>(text, file, kUserKind,
                                  "it is a host's part of one, which belongs into the folder of --keys there; --key "
                                  "takes the file that it was made from");
}

KnownKey parse_known_key(std::string_view text, std::string_view file) {
    return key_of_kind<KnownKey>(text, file, kHostKind,
                                 "it is a user's key, which opens every host: make this host's part of it (groma-key "
                                 "host FILE HOST), and take the file away from here");
}

std::variant<AccessKey, KnownKey> parse_key(std::string_view text, std::string_view file) {
    try {
        return key_from(text);
    } catch (const UsageError& error) {
        throw UsageError(plain_text(file) + " is no key: " + error.what());
    }
}

}  // namespace groma
