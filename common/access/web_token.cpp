#include "common/access/web_token.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "common/access/key_text.hpp"
#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr std::array<std::string_view, 2> kScopeNames{"metrics", "page"};
constexpr std::array<std::string_view, 5> kTokenFields{"groma_key", "name", "scopes", "last_day", "sha256"};
constexpr std::string_view kTokenKind = "token";

}  // namespace

template <typename Fields>
void describe(Fields& fields, As<Fields, WebToken>& token) {
    fields("name", token.name, UpTo{kLongestKeyName});
    fields.when_read("name", [&token] { static_cast<void>(parse_key_name(token.name)); });
    fields.as("scopes", token.scopes, &parse_web_scopes);
    fields.as_unless(std::nullopt, "last_day", token.last_day, &parse_day);
    fields.as("sha256", token.hash, &parse_secret);
}

std::string_view to_string(WebScope scope) {
    return kScopeNames.at(static_cast<std::size_t>(scope));
}

std::string to_string(WebScopes scopes) {
    return std::string(scopes.metrics ? "metrics" : "") + (scopes.metrics and scopes.page ? "," : "") +
           (scopes.page ? "page" : "");
}

WebScopes parse_web_scopes(std::string_view text) {
    WebScopes scopes{.metrics = false, .page = false};
    std::string_view rest = text;
    while (true) {
        const std::string_view word = rest.substr(0, rest.find(','));
        const auto* const found = std::ranges::find(kScopeNames, word);
        if (found == kScopeNames.end()) {
            throw UsageError(
                "'" + plain_text(word, kLongestKeyName) +
                "' is nothing that a token is good for: write metrics, page or both with ',' between them" +
                did_you_mean(word, kScopeNames));
        }
        (found == kScopeNames.begin() ? scopes.metrics : scopes.page) = true;
        if (word.size() == rest.size()) {
            return scopes;
        }
        rest.remove_prefix(word.size() + 1);
    }
}

bool WebToken::expired(WallTime now) const {
    return last_day and is_over(*last_day, now);
}

std::string digits_of_token(const Secret& secret) {
    constexpr std::string_view kHexDigits = "0123456789abcdef";
    std::string digits;
    for (const std::byte byte : secret.bytes()) {
        const auto value = std::to_integer<unsigned>(byte);
        digits += kHexDigits[value >> 4U];
        digits += kHexDigits[value & 15U];
    }
    return digits;
}

Secret hash_of_token(std::string_view digits) {
    std::array<std::byte, Secret::kBytes> hash{};
    const int done = EVP_Digest(digits.data(), digits.size(), reinterpret_cast<unsigned char*>(hash.data()), nullptr,
                                EVP_sha256(), nullptr);
    check(done == 1, "OpenSSL has SHA-256");
    return Secret(hash);
}

bool same_hash(const Secret& left, const Secret& right) {
    return CRYPTO_memcmp(left.bytes().data(), right.bytes().data(), Secret::kBytes) == 0;
}

std::string text_of(const WebToken& token) {
    return key_text(token, kTokenKind);
}

WebToken parse_web_token(std::string_view text, std::string_view file) {
    try {
        const nlohmann::json json = json_of_key(text);
        if (kind_of_key(json) != kTokenKind) {
            throw UsageError("it does not begin like one (groma-key token NAME --keys DIR makes one)");
        }
        require_known(json, kTokenFields);
        return from_json<WebToken>(json);
    } catch (const UsageError& error) {
        throw UsageError(plain_text(file) + " is no token: " + error.what());
    }
}

bool is_web_token(std::string_view text) {
    try {
        return kind_of_key(json_of_key(text)) == kTokenKind;
    } catch (const UsageError&) {
        return false;
    }
}

}  // namespace groma
