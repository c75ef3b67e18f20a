// One report of several senders of one experiment. Pure.
#pragma once

#include <span>

#include "sender/report/run_report.hpp"

namespace groma {

/// Flows in the order of their numbers, and all receivers. Facts of one sender (its pacing, usage, log), and delays of
/// all its flows, are left out, unless there is only one. Requires: at least one.
[[nodiscard]] SendReport merged(std::span<const SendReport* const> reports);

}  // namespace groma
