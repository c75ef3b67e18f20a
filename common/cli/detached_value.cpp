#include "common/cli/detached_value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "common/base/plain_text.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"

namespace groma {

namespace {

bool is_digit(char byte) {
    return byte >= '0' and byte <= '9';
}

/// `alternatives`: "text|json".
bool is_one_of(std::string_view alternatives, std::string_view word) {
    while (not alternatives.empty()) {
        const std::size_t end = std::min(alternatives.find('|'), alternatives.size());
        if (alternatives.substr(0, end) == word) {
            return true;
        }
        alternatives.remove_prefix(std::min(end + 1, alternatives.size()));
    }
    return false;
}

bool could_be(std::string_view placeholder, std::string_view word) {
    if (placeholder.find('|') != std::string_view::npos) {
        return is_one_of(placeholder, word);
    }
    return (placeholder != "TIME" and placeholder != "PORT") or (not word.empty() and is_digit(word.front()));
}

}  // namespace

std::string DetachedValue::advice() const {
    return fmt::format("if it is the value of {0}, write {0}={1}", option, plain_text(word));
}

std::optional<DetachedValue> detached_value(const OptionRow& row, std::string_view word) {
    if (row.kind != ValueKind::optional or word.starts_with('-') or not could_be(row.value, word)) {
        return std::nullopt;
    }
    return DetachedValue{std::string(row.name), std::string(word)};
}

bool is_there(const std::string& word) {
    std::error_code unknown;
    return std::filesystem::exists(word, unknown);
}

bool find_detached_values(std::span<const DetachedValue> values, std::string_view no_input,
                          const std::function<bool(const std::string&)>& is_input, UsageErrors& errors) {
    bool all = true;
    for (const DetachedValue& value : values) {
        if (not is_input(value.word)) {
            all = false;
            errors.add(fmt::format("'{}' is {}: {}", plain_text(value.word), no_input, value.advice()));
        }
    }
    return all;
}

void refuse_detached_values(std::span<const DetachedValue> values, std::string_view no_input,
                            const std::function<bool(const std::string&)>& is_input) {
    UsageErrors errors;
    static_cast<void>(find_detached_values(values, no_input, is_input, errors));
    errors.throw_if_any();
}

}  // namespace groma
