// The options of groma-send --search (docs/guide/search.md).
#pragma once

#include <chrono>
#include <span>

#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/time/instant.hpp"
#include "sender/options/option_rows.hpp"

namespace groma {

/// The duration of a trial, unless told otherwise.
inline constexpr Nanos kUsualTrial = std::chrono::seconds(5);

/// Rates are packets a second of all flows together.
struct SearchArguments {
    double lowest_pps = 0;
    double highest_pps = 0;
    double first_pps = 0;        ///< of the first trial
    double resolution = 0.01;    ///< share of the rate
    unsigned confirmations = 2;  ///< more trials of the rate that is found
};

[[nodiscard]] std::span<const SenderOption> search_option_rows();

/// With --search, makes it the action and requires that no packet is lost, unless another loss is allowed. What does
/// not go with it is an error; without it, its own options are. Requires: options.experiment is read.
void read_search(const CommandLine& line, UsageErrors& errors, SenderOptions& options);

}  // namespace groma
