// Why packets left late: what the kernel counted meanwhile that can explain it. It does not judge; the verdict names
// it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "sender/report/run_report.hpp"

namespace groma {

/// From here on each can explain lateness.
inline constexpr double kManySwitches = 10;   ///< involuntary ones a second, and at least so many
inline constexpr double kBusy = 0.9;          ///< CPU time of the program over that of its threads that send
inline constexpr double kMostlyBehind = 0.5;  ///< time with a packet due and not sent over the run's
inline constexpr double kStolenShare = 0.01;  ///< of the time of one core
inline constexpr double kSlowedShare = 0.9;   ///< the lowest frequency over the highest

/// A phrase for each cause, such as "others took the core from this program 312 times (involuntary context switches)".
/// Empty: nothing that is counted here explains it.
[[nodiscard]] std::vector<std::string> lateness_causes(const SendReport& report);

}  // namespace groma
