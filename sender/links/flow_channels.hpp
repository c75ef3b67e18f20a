// Opens the channels of a run's flows, each to where its receiver awaits it: flows of one association together, those
// of a range of ports one behind the other.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "common/net/channel/channel.hpp"
#include "common/net/device/device_queues.hpp"
#include "common/net/socket/port_search.hpp"
#include "common/time/clock.hpp"

namespace groma {

class FlowChannels {
public:
    /// `queues` outlives this, and the clock the channels.
    FlowChannels(Nanos limit, DeviceQueues& queues, Clock& clock) : limit_(limit), queues_(queues), clock_(clock) {}

    /// `to`: where the receiver awaits each flow. `give_up`: whether the user has lost patience. Returns: a channel for
    /// each flow, in their order. Throws: SystemError, UsageError; RunError when it was given up.
    [[nodiscard]] std::vector<std::unique_ptr<Channel>> open(const std::vector<FlowSpec>& flows,
                                                             std::span<const SocketAddress> to,
                                                             const std::function<bool()>& give_up);

private:
    [[nodiscard]] std::vector<std::unique_ptr<Channel>> open_together(std::vector<ChannelSpec> specs);

    Nanos limit_;
    DeviceQueues& queues_;
    Clock& clock_;
    PortSearch port_search_;
};

}  // namespace groma
