// Draws all pictures of a file of results and says which, and which could not be drawn.
#pragma once

#include <iosfwd>

#include "plots/command/plot_options.hpp"

namespace groma {

/// Writes the path of each picture on a line of `out`, and what is missing with the reason on a line of `notes`.
/// Throws: SystemError, RunError; UsageError for unknown flows.
void plot_results(const PlotOptions& options, std::ostream& out, std::ostream& notes);

}  // namespace groma
