// Quantities with units as text, both ways and exact: the parsers read the written texts back to the same value. The
// only place with unit suffixes. All parsers throw UsageError with what was given, what is wrong and what is right.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/units.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// The largest parameter, gap (ns) or size (bytes): 2^62, some 146 years of nanoseconds.
inline constexpr double kLargestValue = 4611686018427387904.0;

/// "10s", "0.5ms", "2min", "1h", "250us", "30ns" (units ns us ms s min h). A bare number is refused: it has no unit.
[[nodiscard]] Nanos parse_duration(std::string_view text);

/// "1500", "64KiB", "10MB" (units B kB MB GB KiB MiB GiB; no unit means bytes).
[[nodiscard]] Bytes parse_bytes(std::string_view text);
/// The shortest text that parses to exactly the same number.
[[nodiscard]] std::string to_string(Bytes bytes);
/// The same for a parameter of a distribution of sizes, which may have a fraction.
[[nodiscard]] double parse_byte_value(std::string_view text);

using Rate = std::variant<PacketRate, BitRate>;

/// "1000pps", "2kpps", "10Mbps" (units pps kpps Mpps of packets, bps kbps Mbps Gbps of payload); above 0.
[[nodiscard]] Rate parse_rate(std::string_view text);
/// The same; also 0.
[[nodiscard]] Rate parse_rate_from_0(std::string_view text);
/// The shortest text that parses to exactly the same rate.
[[nodiscard]] std::string to_string(const Rate& rate);

/// A number without a unit: digits with a decimal point and an exponent, finite, not negative.
[[nodiscard]] double parse_number(std::string_view text);

/// A share of a whole: "1%" or "0.01". Not negative; above 1 is for the caller to judge.
[[nodiscard]] double parse_share(std::string_view text);

/// Digits: an integer from `least` to `most`.
[[nodiscard]] std::uint64_t parse_whole_number(std::string_view text, std::uint64_t least, std::uint64_t most);

/// A time such as "0.5ms", in nanoseconds, not negative and at most 2^62. `prefix` (such as "normal:") starts the
/// example in the advice for a number without a unit.
[[nodiscard]] double parse_time_ns(std::string_view text, std::string_view prefix = {});

/// A time, or a rate such as "2kpps" (units pps kpps Mpps) as its gap: 1/rate in nanoseconds.
[[nodiscard]] double parse_gap_ns(std::string_view text, std::string_view prefix = {});

[[nodiscard]] std::string duration_to_string(Nanos span);
/// The shortest text that parses to exactly the same value.
[[nodiscard]] std::string number_to_string(double value);
[[nodiscard]] std::string time_to_string(double ns);
/// As time_to_string, or as a rate if that is an integer number of packets per second or shorter.
[[nodiscard]] std::string gap_to_string(double ns);

/// "a, b": the pieces between commas, without surrounding blanks; one piece if there is no comma.
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view text);

/// Whether the text ends in a unit of rates.
[[nodiscard]] bool is_rate(std::string_view text);

}  // namespace groma
