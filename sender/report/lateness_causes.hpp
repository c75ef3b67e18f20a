// Possible causes of lateness, from the kernel's counters during the run. The verdict names them.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "sender/report/run_report.hpp"

namespace groma {

/// Above these thresholds (kSlowedShare: below) a counter can explain lateness.
inline constexpr double kManySwitches = 10;   ///< involuntary ones per second; also the minimum in total
inline constexpr double kBusy = 0.9;          ///< CPU time of the program over that of its sending threads
inline constexpr double kMostlyBehind = 0.5;  ///< time with a packet due but unsent over the run's time
inline constexpr double kStolenShare = 0.01;  ///< share of one core's time
inline constexpr double kSlowedShare = 0.9;   ///< the lowest frequency over the highest

/// A phrase for each cause, such as "others took the core from this program 312 times (involuntary context switches)".
/// Empty: no known cause.
[[nodiscard]] std::vector<std::string> lateness_causes(const SendReport& report);

}  // namespace groma
