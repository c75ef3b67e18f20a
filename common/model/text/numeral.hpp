// A number with a unit, as in "1.5e3ms": digits, exponent and suffix, and their exact value. Knows no units itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace groma {

/// A unit is factor * 10^exponent of the base unit. The power of ten is applied to the digits, so that "4.35us" is the
/// double nearest to 4350, not the product of two rounded numbers.
struct TextUnit {
    std::string_view suffix;
    int exponent;
    double factor;
};

struct Numeral {
    std::string_view digits;  ///< may have a decimal point
    int exponent = 0;
    std::string_view rest;
};

/// A text in an error: in single quotes, shortened, without control characters.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// Splits "1.5e3ms" into "1.5", 3 and "ms", which point into the text. Throws: UsageError for what does not begin with
/// a number, or with a negative one.
[[nodiscard]] Numeral split_numeral(std::string_view text);

/// The unit with this suffix; null: none.
[[nodiscard]] const TextUnit* find_unit(std::span<const TextUnit> units, std::string_view suffix);

/// In the base unit. `text` is the whole text, for the error. Throws: UsageError when no double is that large or small.
[[nodiscard]] double numeral_value(const Numeral& numeral, const TextUnit& unit, std::string_view text);

/// The same as an integer, exact beyond 2^53, too; empty: it has a decimal point or an exponent, or is more than 2^62.
[[nodiscard]] std::optional<std::int64_t> whole_numeral_value(const Numeral& numeral, const TextUnit& unit);

}  // namespace groma
