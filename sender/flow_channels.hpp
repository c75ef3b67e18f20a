// Opens the channels of a run's flows, each to where its receiver awaits it: flows of one association together, those
// of a range of ports one behind the other.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/net/channel.hpp"
#include "common/net/port_search.hpp"

namespace groma {

class FlowChannels {
public:
    explicit FlowChannels(Nanos limit) : limit_(limit) {}

    /// `to`: where the receiver awaits each flow. `give_up`: whether the user has lost patience. Returns: a channel for
    /// each flow, in their order. Throws: SystemError, UsageError; RunError when it was given up.
    [[nodiscard]] std::vector<std::unique_ptr<Channel>> open(const std::vector<FlowSpec>& flows,
                                                             std::span<const SocketAddress> to,
                                                             const std::function<bool()>& give_up);

    /// What had to be decided for a flow, a sentence; of those that open() opened.
    [[nodiscard]] const std::map<FlowId, std::string>& remarks() const { return remarks_; }

private:
    [[nodiscard]] std::vector<std::unique_ptr<Channel>> open_together(std::vector<ChannelSpec> specs);

    [[nodiscard]] const std::string& queue_that_takes_apart(const SocketAddress& to);
    void send_one_by_one_if_need_be(FlowId flow, ChannelSpec& spec);

    std::map<std::string, std::string> queues_{};  ///< by host: what queue_that_takes_apart() has found
    std::map<FlowId, std::string> remarks_{};
    Nanos limit_;
    PortSearch port_search_;
};

}  // namespace groma
