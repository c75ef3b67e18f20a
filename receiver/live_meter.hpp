// The lines that a receiver with --live prints per interval: packets received of all flows, and of the first ten each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/control/messages.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// An active flow.
struct LiveFlow {
    std::string peer;  ///< of its session: "10.0.0.1:41234"
    FlowSoFar so_far;
};

/// Totals of all sessions since the receiver's start, and the state of the active ones.
struct LiveTotals {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;    ///< of payload
    std::uint64_t missing = 0;  ///< sequence numbers of active flows that have not arrived so far
    std::size_t sessions = 0;
    std::size_t flows = 0;              ///< active flows
    std::vector<LiveFlow> each_flow{};  ///< of them; not of sessions with very many
};

class LiveMeter {
public:
    explicit LiveMeter(MonoTime start) : last_(start) {}

    /// The lines for the time since the last call, or since the start, without the end of the last line.
    [[nodiscard]] std::string lines(const LiveTotals& totals, MonoTime now);

private:
    MonoTime last_;
    LiveTotals before_;
    std::map<std::pair<std::string, FlowId>, ArrivedSoFar> flows_before_;
};

}  // namespace groma
