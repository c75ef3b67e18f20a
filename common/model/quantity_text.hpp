// Numbers with units as text, both ways and exact: the texts made here are read back to the same double. The only place
// that knows unit suffixes. All parsers throw UsageError.
#pragma once

#include <string>
#include <string_view>

namespace groma {

/// A number without a unit: digits with a decimal point and an exponent, finite, not negative.
[[nodiscard]] double parse_number(std::string_view text);

/// A time such as "0.5ms", in nanoseconds, not negative and at most 2^62. `example` starts the advice that a number
/// without a unit gets, for example "normal:".
[[nodiscard]] double parse_time_ns(std::string_view text, std::string_view prefix = {});

/// A time, or a rate such as "2kpps" (units pps kpps Mpps) as its gap: 1/rate in nanoseconds.
[[nodiscard]] double parse_gap_ns(std::string_view text, std::string_view prefix = {});

/// The shortest text that is read back to exactly the same value.
[[nodiscard]] std::string number_to_string(double value);
[[nodiscard]] std::string time_to_string(double ns);
/// As time_to_string, or as a rate if that is a whole number of packets per second or is shorter.
[[nodiscard]] std::string gap_to_string(double ns);

/// Whether the text ends in a unit of rates.
[[nodiscard]] bool is_rate(std::string_view text);

}  // namespace groma
