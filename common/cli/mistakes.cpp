#include "common/cli/mistakes.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace groma {

Mistakes::Mistakes(const CommandLine& line) {
    for (const std::string& mistake : line.mistakes()) {
        add(mistake);
    }
}

void Mistakes::add(std::string sentence) {
    if (std::ranges::find(sentences_, sentence) == sentences_.end()) {
        sentences_.push_back(std::move(sentence));
    }
}

std::optional<std::uint64_t> Mistakes::number(const CommandLine& line, std::string_view option, std::uint64_t low,
                                              std::uint64_t high) {
    return parsed(line, option, [low, high](std::string_view text) {
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() or end != text.data() + text.size() or value < low or value > high) {
            throw UsageError("'" + std::string(text) + "' is not a whole number from " + std::to_string(low) + " to " +
                             std::to_string(high));
        }
        return value;
    });
}

void Mistakes::throw_if_any() const {
    std::string text;
    for (const std::string& sentence : sentences_) {
        text += (text.empty() ? "" : "\n") + sentence;
    }
    if (not text.empty()) {
        throw UsageError(text);
    }
}

}  // namespace groma
