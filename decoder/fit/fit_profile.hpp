// Fitted flows as an experiment file that groma-send runs (docs/reference/experiment-file.md).
#pragma once

#include <string>

#include "decoder/fit/fit_options.hpp"
#include "decoder/fit/fit_results.hpp"

namespace groma {

/// One [[flow]] for each fitted flow: its transport, the best family of gaps and of sizes or, with --empirical, the
/// observed values; its observed start and duration. A comment names the choice and how well it fits.
/// Throws: RunError if no flow has gaps.
[[nodiscard]] std::string fit_profile(const FitResults& results, const FitOptions& options);

}  // namespace groma
