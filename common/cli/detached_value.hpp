// "--json FILE" where "--json=FILE" is meant: an option that may stand alone takes its value behind '=' only, so the
// word behind it is an argument of its own. Whoever then cannot do anything with that word says so in these words.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace groma {

class UsageErrors;
struct OptionRow;

/// A word right behind an option with an optional value that was given none.
struct DetachedValue {
    std::string option;  ///< "--json"
    std::string word;    ///< "out.json"

    /// The end of a sentence: "if it is the value of --json, write --json=out.json".
    [[nodiscard]] std::string advice() const;
};

/// Returns: nothing when `word` cannot be the value: an option, "-", no number for TIME or PORT, none of "text|json".
[[nodiscard]] std::optional<DetachedValue> detached_value(const OptionRow& row, std::string_view word);

/// Whether there is a file or folder of this name.
[[nodiscard]] bool is_there(const std::string& word);

/// Adds an error for each word that is no input. `no_input` is what to call it, such as "not a log". Returns: whether
/// all are input.
bool find_detached_values(std::span<const DetachedValue> values, std::string_view no_input,
                          const std::function<bool(const std::string&)>& is_input, UsageErrors& errors);

/// Throws: UsageError with those errors, if there are any.
void refuse_detached_values(std::span<const DetachedValue> values, std::string_view no_input,
                            const std::function<bool(const std::string&)>& is_input = is_there);

}  // namespace groma
