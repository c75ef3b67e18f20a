// Quantities as people read them: a number of at most four significant digits, or as many as are asked for, and a unit
// of fitting size. For text only; files and JSON carry plain numbers with the unit in their names.
#pragma once

#include <cstdint>
#include <string>

#include "common/time/instant.hpp"

namespace groma {

/// Significant digits, where nothing else is said.
inline constexpr int kHumanDigits = 4;

/// "250 pps", "12.5 kpps", "1.488 Mpps". Not finite: "-".
[[nodiscard]] std::string human_rate(double pps);

/// "800 bit/s", "4.096 Mbit/s", "10 Gbit/s" (decimal prefixes). Not finite: "-".
[[nodiscard]] std::string human_bits(double bps);

/// "30 ns", "1.5 us", "12.25 ms", "-2 us", "90 s", "5 min 3 s", "2 h 5 min": whole seconds from two minutes on, whole
/// minutes from one hour on.
[[nodiscard]] std::string human_time(Nanos span);

/// The same for a number of nanoseconds; drops fractions. Not finite, or beyond the range of Nanos (292 years): "-".
[[nodiscard]] std::string human_nanos(double ns);

/// The same with other numbers of digits; times with fractions of nanoseconds, in no unit above seconds: "183.3 s".
[[nodiscard]] std::string exact_rate(double pps, int digits);
[[nodiscard]] std::string exact_bits(double bps, int digits);
[[nodiscard]] std::string exact_time(double ns, int digits);

/// "512 B", "1.5 kB", "2.048 MB" (decimal prefixes).
[[nodiscard]] std::string human_bytes(std::uint64_t bytes);

/// `value` with at most `digits` significant digits, without an exponent from 1e-6 to 1e15 and without trailing zeros.
[[nodiscard]] std::string significant(double value, int digits = kHumanDigits);

}  // namespace groma
