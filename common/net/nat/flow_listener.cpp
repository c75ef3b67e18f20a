#include "common/net/nat/flow_listener.hpp"

#include "common/base/errors.hpp"
#include "common/net/nat/connection_listener.hpp"
#include "common/net/nat/datagram_listener.hpp"

namespace groma {

std::unique_ptr<FlowListener> open_flow_listener(const FlowListenerSpec& spec, Clock& clock) {
    check(traits(spec.transport).dialled, "flows of this transport cannot be dialled");
    if (traits(spec.transport).connects) {
        return std::make_unique<ConnectionListener>(spec, clock);
    }
    return std::make_unique<DatagramListener>(spec, clock);
}

}  // namespace groma
