// Collects what is wrong with a command line, so that all of it can be said together.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/cli/command_line.hpp"

namespace groma {

class Mistakes {
public:
    void add(std::string sentence) {
        if (std::find(sentences_.begin(), sentences_.end(), sentence) == sentences_.end()) {
            sentences_.push_back(std::move(sentence));
        }
    }

    /// Returns: what `parse` makes of the option's value; nothing when it was not given or `parse` throws UsageError,
    /// which becomes the mistake "--option: what it said".
    template <typename Parse>
    auto parsed(const CommandLine& line, std::string_view option, Parse parse)
        -> std::optional<decltype(parse(std::string_view()))> {
        const std::optional<std::string> given = line.value(option);
        if (not given) {
            return std::nullopt;
        }
        try {
            return parse(std::string_view(*given));
        } catch (const UsageError& error) {
            add(std::string(option) + ": " + error.what());
            return std::nullopt;
        }
    }

    /// A whole number from `low` to `high`.
    std::optional<std::uint64_t> number(const CommandLine& line, std::string_view option, std::uint64_t low,
                                        std::uint64_t high) {
        return parsed(line, option, [low, high](std::string_view text) {
            std::uint64_t value = 0;
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (error != std::errc() or end != text.data() + text.size() or value < low or value > high) {
                throw UsageError("'" + std::string(text) + "' is not a whole number from " + std::to_string(low) +
                                 " to " + std::to_string(high));
            }
            return value;
        });
    }

    [[nodiscard]] bool none() const { return sentences_.empty(); }

    /// Throws: UsageError with a line for each mistake, if there is any.
    void throw_if_any() const {
        std::string text;
        for (const std::string& sentence : sentences_) {
            text += (text.empty() ? "" : "\n") + sentence;
        }
        if (not text.empty()) {
            throw UsageError(text);
        }
    }

private:
    std::vector<std::string> sentences_;
};

}  // namespace groma
