// From the names in an experiment to the receivers' addresses, and room for a socket to each flow.
#pragma once

#include <vector>

#include "sender/plan.hpp"

namespace groma {

/// Looks each name up once and groups the flows by receiver. Throws: RunError when a name is not known.
[[nodiscard]] std::vector<ReceiverPlan> plan_receivers(const std::vector<FlowSpec>& flows);

/// Raises this process's limit of open files as far as it may. Throws: RunError when that is not enough for `flows`.
void make_room_for_sockets(std::size_t flows);

}  // namespace groma
