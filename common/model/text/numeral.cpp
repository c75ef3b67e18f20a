#include "common/model/text/numeral.hpp"

#include <charconv>
#include <cstddef>
#include <system_error>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

constexpr std::int64_t kLargestWhole = std::int64_t{1} << 62;

bool is_digit(char c) {
    return c >= '0' and c <= '9';
}

std::size_t digits_from(std::string_view text, std::size_t i) {
    while (i < text.size() and is_digit(text[i])) {
        ++i;
    }
    return i;
}

}  // namespace

std::string in_quotes(std::string_view text) {
    return std::string("'").append(plain_text(text, 60)).append("'");
}

Numeral split_numeral(std::string_view text) {
    if (text.starts_with('-')) {
        throw UsageError(in_quotes(text) + " is negative");
    }
    std::size_t end = digits_from(text, 0);
    if (end < text.size() and text[end] == '.') {
        end = digits_from(text, end + 1);
    }
    Numeral numeral{text.substr(0, end), 0, text.substr(end)};
    if (numeral.digits.empty() or numeral.digits == ".") {
        throw UsageError(in_quotes(text) + " is not a number");
    }
    if (numeral.rest.starts_with('e') or numeral.rest.starts_with('E')) {
        const std::size_t first = numeral.rest.find_first_of("+-", 1) == 1 ? 2 : 1;
        const std::size_t last = digits_from(numeral.rest, first);
        if (last == first or last - first > 4) {
            throw UsageError(in_quotes(text) + " has a bad exponent");
        }
        for (std::size_t i = first; i < last; ++i) {
            numeral.exponent = numeral.exponent * 10 + (numeral.rest[i] - '0');
        }
        numeral.exponent = numeral.rest[1] == '-' ? -numeral.exponent : numeral.exponent;
        numeral.rest.remove_prefix(last);
    }
    return numeral;
}

const TextUnit* find_unit(std::span<const TextUnit> units, std::string_view suffix) {
    for (const TextUnit& unit : units) {
        if (unit.suffix == suffix) {
            return &unit;
        }
    }
    return nullptr;
}

double numeral_value(const Numeral& numeral, const TextUnit& unit, std::string_view text) {
    const std::string scaled = std::string(numeral.digits) + "e" + std::to_string(numeral.exponent + unit.exponent);
    double value = 0;
    const auto [end, error] = std::from_chars(scaled.data(), scaled.data() + scaled.size(), value);
    if (error != std::errc() or end != scaled.data() + scaled.size()) {
        throw UsageError(in_quotes(text) + " is too large or too small");
    }
    return value * unit.factor;
}

std::optional<std::int64_t> whole_numeral_value(const Numeral& numeral, const TextUnit& unit) {
    std::int64_t value = 0;
    const char* const last = numeral.digits.data() + numeral.digits.size();
    const auto [end, error] = std::from_chars(numeral.digits.data(), last, value);
    std::int64_t scale = static_cast<std::int64_t>(unit.factor);
    for (int i = 0; i < unit.exponent; ++i) {
        scale *= 10;
    }
    if (error != std::errc() or end != last or numeral.exponent != 0 or value > kLargestWhole / scale) {
        return std::nullopt;
    }
    return value * scale;
}

}  // namespace groma
