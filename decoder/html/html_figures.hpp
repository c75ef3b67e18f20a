// The tables of figures of the HTML report: the instrument's own error first, then the network's.
#pragma once

#include <string>

#include "decoder/results/results.hpp"
#include "decoder/text/shown_flows.hpp"

namespace groma {

[[nodiscard]] std::string html_fidelity(const RunResult& run, const ShownFlows& shown);
[[nodiscard]] std::string html_network(const RunResult& run, const ShownFlows& shown);

}  // namespace groma
