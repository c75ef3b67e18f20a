#include "common/shipping/spool_description.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/log_name.hpp"

namespace groma {

namespace {

constexpr std::size_t kLongestText = 300;

std::string text_at(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() or not found->is_string() or found->get_ref<const std::string&>().size() > kLongestText) {
        throw RunError(std::string("'") + key + "' is missing or is no text");
    }
    return found->get<std::string>();
}

std::string name_at(const nlohmann::json& object, const char* key) {
    std::string name = text_at(object, key);
    if (const std::string fault = log_name_fault(name); not fault.empty()) {
        throw RunError(std::string("'") + key + "' " + fault);
    }
    return name;
}

LogToken token_at(const nlohmann::json& object, const char* key) {
    const std::string digits = text_at(object, key);
    if (not is_token(digits)) {
        throw RunError(std::string("'") + key + "' is no token");
    }
    return parse_token(digits);
}

std::int64_t integer_at(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() or not found->is_number_integer()) {
        throw RunError(std::string("'") + key + "' is missing or is no whole number");
    }
    return found->get<std::int64_t>();
}

}  // namespace

std::string to_json(const SpoolDescription& description) {
    const nlohmann::json object = {{"protocol", kLogProtocolVersion},
                                   {"server", description.server},
                                   {"transport", to_string(description.transport)},
                                   {"experiment", description.experiment},
                                   {"name", description.name},
                                   {"token", to_string(description.token)},
                                   {"program", description.program},
                                   {"started_ns", ns_since_epoch(description.started)}};
    return object.dump(2) + '\n';
}

SpoolDescription parse_spool_description(const std::string& text) {
    const nlohmann::json object = nlohmann::json::parse(text, nullptr, false);
    if (not object.is_object()) {
        throw RunError("it is no JSON object");
    }
    if (const std::int64_t version = integer_at(object, "protocol"); version != kLogProtocolVersion) {
        throw RunError("it was written for version " + std::to_string(version) +
                       " of the log protocol: deliver it with the release that wrote it");
    }
    const auto transport = parse_log_transport(text_at(object, "transport"));
    if (not transport) {
        throw RunError("'transport' is unknown");
    }
    return {.server = text_at(object, "server"),
            .transport = *transport,
            .experiment = name_at(object, "experiment"),
            .name = name_at(object, "name"),
            .token = token_at(object, "token"),
            .program = plain_text(text_at(object, "program")),
            .started = wall_time_from_ns(integer_at(object, "started_ns"))};
}

std::string to_string(const LogToken& token) {
    static constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (const std::byte byte : token) {
        const auto value = std::to_integer<unsigned>(byte);
        text += kDigits[value >> 4U];
        text += kDigits[value & 15U];
    }
    return text;
}

LogToken parse_token(std::string_view digits) {
    check(is_token(digits), "what is read as a token is none");
    LogToken token{};
    for (std::size_t i = 0; i < token.size(); ++i) {
        std::uint8_t value = 0;
        std::from_chars(digits.data() + 2 * i, digits.data() + 2 * i + 2, value, 16);
        token[i] = static_cast<std::byte>(value);
    }
    return token;
}

bool is_token(std::string_view text) {
    return text.size() == 2 * LogToken{}.size() and
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace groma
