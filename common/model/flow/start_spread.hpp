// Spreads starts over a span of time, so that flows of one constant rate are not all due at the same instants. Pure
// function; any thread.
#pragma once

#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// The first of n flows keeps its start; each later one starts `span`/n after the one before it. Requires: span is not
/// negative.
void spread_starts(std::vector<FlowSpec>& flows, Nanos span);

}  // namespace groma
