// A minimal valid flow for both sides, its rates, and a receiver's results of one without errors.
#pragma once

#include <cmath>
#include <cstdint>

#include "common/control/messages.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/stats/fidelity/fidelity.hpp"

namespace groma {

inline FlowSpec flow_numbered(std::uint32_t id) {
    FlowSpec flow;
    flow.id = FlowId{id};
    flow.name = "flow";
    flow.target.host = "192.0.2.1";
    flow.stop.packets = 1;
    return flow;
}

/// Its packets are due, and leave, from the start of the run on at these rates.
inline void set_rates(Fidelity& fidelity, double asked_pps, double sent_pps) {
    const auto span = [gaps = static_cast<double>(fidelity.packets - 1)](double pps) {
        return TimeSpan{Nanos{0}, Nanos{std::llround(gaps * 1e9 / pps)}};
    };
    fidelity.departures = fidelity.packets;
    fidelity.scheduled = span(asked_pps);
    fidelity.sent = span(sent_pps);
}

inline ReceivedFlow received(std::uint32_t id) {
    ReceivedFlow flow;
    flow.flow = FlowId{id};
    flow.state = "ok";
    return flow;
}

}  // namespace groma
