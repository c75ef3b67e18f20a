// Matches the packets of both sides by flow and sequence number.
#pragma once

#include <map>

#include "decoder/results/clock_state.hpp"
#include "python/extension/packet_columns.hpp"

namespace groma {

/// By flow, then by sequence number; copies of a packet in the order of their arrival; arrivals without a number last.
/// Sizes are the sender's, those of arrivals without a sender's record the receiver's. `clocks`: of each flow's
/// arrivals; delays of flows that have none, or none that is absolute, are unknown. Throws: std::bad_alloc.
[[nodiscard]] MatchedPackets match(const SentPackets& sent, const ReceivedPackets& received,
                                   const std::map<FlowId, ClockState>& clocks);

}  // namespace groma
