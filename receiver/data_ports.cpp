#include "receiver/data_ports.hpp"

#include <algorithm>
#include <string>

#include "common/base/errors.hpp"
#include "common/model/transport/port_range.hpp"

namespace groma {

std::optional<PortRange> ports_for(const FlowSpec& flow, const std::optional<PortRange>& data_ports) {
    std::optional<PortRange> asked = flow.options.ports;
    if (flow.target.data_port) {
        asked = PortRange{*flow.target.data_port, *flow.target.data_port};
    }
    if (not data_ports or not asked or not traits(flow.transport).ports) {
        return traits(flow.transport).ports and not asked ? data_ports : flow.options.ports;
    }
    const PortRange common{std::max(asked->first, data_ports->first), std::min(asked->last, data_ports->last)};
    if (common.first > common.last) {
        const std::string what =
            flow.target.data_port ? "port " + std::to_string(asked->first) : "a port of " + to_string(*asked);
        throw UsageError("it asks for " + what + ", and this receiver gives away " + to_string(*data_ports) +
                         " only (its --data-ports): ask for one of those, or for none");
    }
    return common;
}

}  // namespace groma
