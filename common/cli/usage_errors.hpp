// Collects what is wrong with a command line, so that all of it can be said together.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/errors.hpp"
#include "common/cli/command_line.hpp"

namespace groma {

class UsageErrors {
public:
    UsageErrors() = default;
    /// Begins with what the line finds wrong itself.
    explicit UsageErrors(const CommandLine& line);

    /// Does nothing when the same sentence is there already.
    void add(std::string sentence);

    /// Returns: what `parse` makes of the option's value; nothing when it was not given or `parse` throws UsageError,
    /// which becomes the error "--option: what it said".
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
                                        std::uint64_t high);

    [[nodiscard]] bool none() const { return sentences_.empty(); }

    /// Throws: UsageError with a line for each error, if there is any.
    void throw_if_any() const;

private:
    std::vector<std::string> sentences_;
};

}  // namespace groma
