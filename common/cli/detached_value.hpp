// Advice for "--json FILE" where "--json=FILE" is meant. An option with an optional value takes it only after '=', so
// the next word is a separate argument. A program that cannot use that word gives this advice.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace groma {

class UsageErrors;
struct OptionRow;

/// A word right after an option whose optional value was not given.
struct DetachedValue {
    std::string option;  ///< "--json"
    std::string word;    ///< "out.json"

    /// The end of a sentence: "if it is the value of --json, write --json=out.json".
    [[nodiscard]] std::string advice() const;
};

/// Returns: empty if `word` cannot be the value: an option, "-", not a number for TIME or PORT, not one of "text|json".
[[nodiscard]] std::optional<DetachedValue> detached_value(const OptionRow& row, std::string_view word);

/// Whether a file or folder of this name exists.
[[nodiscard]] bool is_there(const std::string& word);

/// Adds an error for each word that is not an input. `no_input` says so, such as "not a log". Returns: whether all are
/// inputs.
bool find_detached_values(std::span<const DetachedValue> values, std::string_view no_input,
                          const std::function<bool(const std::string&)>& is_input, UsageErrors& errors);

/// Throws: UsageError with those errors, if there are any.
void refuse_detached_values(std::span<const DetachedValue> values, std::string_view no_input,
                            const std::function<bool(const std::string&)>& is_input = is_there);

}  // namespace groma
