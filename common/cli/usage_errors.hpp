// Collects the errors of a command line, to report them together.
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
    /// Starts with the errors of `line` itself.
    explicit UsageErrors(const CommandLine& line);

    /// Ignores a sentence that is already there.
    void add(std::string sentence);

    /// Returns: `parse` of the option's value; empty if the option was not given or `parse` throws UsageError, which is
    /// added as "--option: MESSAGE".
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

    /// An integer from `low` to `high`.
    std::optional<std::uint64_t> number(const CommandLine& line, std::string_view option, std::uint64_t low,
                                        std::uint64_t high);

    [[nodiscard]] bool none() const { return sentences_.empty(); }

    /// Throws: UsageError with one line per error, if there are any.
    void throw_if_any() const;

private:
    std::vector<std::string> sentences_;
};

}  // namespace groma
