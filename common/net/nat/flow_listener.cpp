#include "common/net/nat/flow_listener.hpp"

#include "common/base/errors.hpp"

namespace groma {

std::unique_ptr<FlowListener> open_flow_listener(const FlowListenerSpec& spec, Clock& clock) {
    check(traits(spec.transport).dialled, "flows of this transport cannot be dialled");
    return traits(spec.transport).connects ? open_connection_listener(spec, clock)
                                           : open_datagram_listener(spec, clock);
}

}  // namespace groma
