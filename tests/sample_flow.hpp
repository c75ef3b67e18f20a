// A minimal valid flow for both sides, and a receiver's results of one without errors.
#pragma once

#include <cstdint>

#include "common/control/messages.hpp"
#include "common/model/flow/flow_spec.hpp"

namespace groma {

inline FlowSpec flow_numbered(std::uint32_t id) {
    FlowSpec flow;
    flow.id = FlowId{id};
    flow.name = "flow";
    flow.target.host = "192.0.2.1";
    flow.stop.packets = 1;
    return flow;
}

inline ReceivedFlow received(std::uint32_t id) {
    ReceivedFlow flow;
    flow.flow = FlowId{id};
    flow.state = "ok";
    return flow;
}

}  // namespace groma
