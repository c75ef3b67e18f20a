#include "common/json/json_text.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/base/utf8.hpp"

namespace groma {

namespace {

struct JsonCost {
    std::size_t depth = 0;
    std::size_t values = 1;
};

/// Any numbers for a text that is not JSON.
JsonCost cost_of(std::string_view text) noexcept {
    JsonCost cost;
    std::size_t depth = 0;
    bool in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (in_string) {
            in_string = c != '"';
            i += c == '\\' ? 1 : 0;
            continue;
        }
        in_string = c == '"';
        cost.values += c == ',' or c == ':' or c == '[' or c == '{' ? 1 : 0;
        if (c == '[' or c == '{') {
            cost.depth = std::max(cost.depth, ++depth);
        } else if ((c == ']' or c == '}') and depth > 0) {
            --depth;
        }
    }
    return cost;
}

/// dump() escapes characters below 0x20; the others that a terminal obeys occur in strings only.
std::string escaped(std::string text) {
    constexpr std::string_view kFirstBytes = "\x7f\xc2\xd8\xe2";
    for (std::size_t at = text.find_first_of(kFirstBytes); at < text.size();
         at = text.find_first_of(kFirstBytes, at + 1)) {
        const Utf8Character one = first_character(std::string_view(text).substr(at));
        if (is_obeyed(one.code)) {
            std::array<char, 8> escape{};
            std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(one.code));
            text.replace(at, one.bytes, escape.data());
        }
    }
    return text;
}

}  // namespace

nlohmann::json parse_json(std::string_view text, const JsonLimits& limits) {
    if (text.size() > limits.bytes) {
        throw UsageError("it is longer than " + std::to_string(limits.bytes) + " bytes");
    }
    const JsonCost cost = cost_of(text);
    if (cost.depth > limits.depth) {
        throw UsageError("it is nested deeper than " + std::to_string(limits.depth) + " levels");
    }
    if (cost.values > limits.values) {
        throw UsageError("it has more than " + std::to_string(limits.values) + " values");
    }
    nlohmann::json value = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    if (value.is_discarded()) {
        throw UsageError("it is no JSON");
    }
    return value;
}

std::string json_text(const nlohmann::json& value, int indent) {
    return escaped(value.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace));
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
    return escaped(value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

std::string_view cut_text(std::string_view text, std::size_t most_bytes) noexcept {
    if (text.size() <= most_bytes) {
        return text;
    }
    std::size_t end = most_bytes;
    while (end > 0 and (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end > 0 ? end : most_bytes);
}

}  // namespace groma
