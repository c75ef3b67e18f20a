// The results of a run on one screen: what arrived first, then how it was sent, then the result in one line.
// text_report.hpp has everything.
#pragma once

#include <string>

#include "decoder/results/results.hpp"

namespace groma {

/// Of each run at most kMostScreenLines lines of kLineWidth characters (common/cli/flow_lines.hpp). Of more than
/// kMostFlowLines flows the worst and the total; of groups these instead of their flows.
[[nodiscard]] std::string text_screen(const Results& results);

}  // namespace groma
