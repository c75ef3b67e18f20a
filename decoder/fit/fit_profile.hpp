// Fitted flows as an experiment file that groma-send runs (docs/reference/experiment-file.md).
#pragma once

#include <string>

#include "decoder/fit/fit_options.hpp"
#include "decoder/fit/fit_results.hpp"

namespace groma {

/// One [[flow]] for each fitted flow: its transport, the best family of gaps and of sizes or, with --empirical, what
/// was seen; its start and duration as they were. What was chosen and how well it fits stands beside it as a comment.
/// Throws: RunError when no flow has gaps to be made of.
[[nodiscard]] std::string fit_profile(const FitResults& results, const FitOptions& options);

}  // namespace groma
