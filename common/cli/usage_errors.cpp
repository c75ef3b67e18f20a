#include "common/cli/usage_errors.hpp"

#include <algorithm>
#include <utility>

#include "common/model/text/quantity_text.hpp"

namespace groma {

UsageErrors::UsageErrors(const CommandLine& line) {
    for (const std::string& error : line.errors()) {
        add(error);
    }
}

void UsageErrors::add(std::string sentence) {
    if (std::ranges::find(sentences_, sentence) == sentences_.end()) {
        sentences_.push_back(std::move(sentence));
    }
}

std::optional<std::uint64_t> UsageErrors::number(const CommandLine& line, std::string_view option, std::uint64_t low,
                                                 std::uint64_t high) {
    return parsed(line, option, [low, high](std::string_view text) { return parse_whole_number(text, low, high); });
}

void UsageErrors::throw_if_any() const {
    std::string text;
    for (const std::string& sentence : sentences_) {
        text += (text.empty() ? "" : "\n") + sentence;
    }
    if (not text.empty()) {
        throw UsageError(text);
    }
}

}  // namespace groma
