// From the names in an experiment to the receivers' addresses, and room for the flows' sockets.
#pragma once

#include <string_view>
#include <vector>

#include "common/net/socket/resolver.hpp"
#include "sender/plan/receiver_plan.hpp"

namespace groma {

/// Gives every flow to a multicast group what all its receivers must be told alike, where it does not say: the port,
/// and the source, this host's address on the way to the first receiver. Throws: RunError when a name is not known;
/// SystemError when there is no way; UsageError when the group is none.
[[nodiscard]] std::vector<FlowSpec> complete_group_flows(std::vector<FlowSpec> flows, std::string_view run_id,
                                                         const ResolveName& resolve);

/// Looks each name up once and groups the flows by receiver. Throws: RunError when a name is not known, or when a flow
/// names a receiver twice.
[[nodiscard]] std::vector<ReceiverPlan> plan_receivers(const std::vector<FlowSpec>& flows, const ResolveName& resolve);

/// Raises this process's limit of open files as far as it may. Throws: RunError when that is not enough for `sockets`.
void make_room_for_sockets(std::size_t sockets);

}  // namespace groma
