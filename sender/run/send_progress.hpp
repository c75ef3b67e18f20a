// The progress line of a run, for a terminal. Pure: the caller has the clock and the terminal.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/time/instant.hpp"
#include "sender/engine/engine_flow.hpp"

namespace groma {

class Progress {
public:
    explicit Progress(const std::vector<FlowSpec>& flows);

    /// `elapsed` since the common start; rates are those since the last call. Requires: `elapsed` does not decrease
    /// between calls.
    /// Returns: "3 s of 10 s, 2 of 3 flows, 1 kpps, 4.096 Mbit/s, 3000 packets".
    [[nodiscard]] std::string line(Nanos elapsed, const std::vector<FlowProgress>& flows);

    /// The latest end of all flows, from the common start; empty if a flow has no duration.
    [[nodiscard]] std::optional<Nanos> planned_end() const { return planned_end_; }

private:
    std::optional<Nanos> planned_end_;
    Nanos last_elapsed_{0};
    std::uint64_t last_packets_ = 0;
    std::uint64_t last_bytes_ = 0;
};

}  // namespace groma
