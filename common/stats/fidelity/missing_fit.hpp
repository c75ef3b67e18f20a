// Why a flow's gaps were not compared with a distribution, for the reports.
#pragma once

#include <string_view>

#include "common/model/flow/flow_spec.hpp"
#include "common/stats/fidelity/fidelity.hpp"

namespace groma {

/// Returns: a sentence; empty if there is a fit.
[[nodiscard]] std::string_view why_no_fit(const FlowSpec& flow, const Fidelity& fidelity);

}  // namespace groma
