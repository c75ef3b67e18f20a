// Starts that are spread over a span of time: flows of one constant rate are then not all due at the same instants.
// Pure function; any thread.
#pragma once

#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// The first of n flows starts when it would have started, each other one later by an n-th of `span` than the one
/// before it. Requires: span is not negative.
void spread_starts(std::vector<FlowSpec>& flows, Nanos span);

}  // namespace groma
