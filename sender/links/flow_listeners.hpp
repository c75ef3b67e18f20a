// The ports at which a passive sender awaits its receivers, a listener for each flow
// (common/net/nat/flow_listener.hpp): opened before the receivers are told, looked after until the run is over. Thread:
// one, its owner's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/base/ids.hpp"
#include "common/control/messages.hpp"
#include "common/net/channel/channel.hpp"
#include "common/net/device/device_queues.hpp"
#include "common/net/nat/flow_listener.hpp"
#include "common/os/poller.hpp"
#include "common/time/clock.hpp"

namespace groma {

class FlowListeners {
public:
    enum class PunchesFrom : std::uint8_t { caller, anywhere };

    /// `clock` and `queues` outlive the listeners and their channels. `token_limit`: as in FlowListenerSpec.
    FlowListeners(Clock& clock, DeviceQueues& queues, Nanos token_limit, PunchesFrom punches_from = PunchesFrom::caller)
        : clock_(clock), queues_(queues), token_limit_(token_limit), punches_from_(punches_from) {}

    /// Opens the listener of a flow on this host's address `at`, on the port that the flow asks for, if it does, for
    /// the receiver that has called in from `caller`. Returns: what its receiver has to know. Throws: SystemError;
    /// RunError when there is no random token.
    [[nodiscard]] DialTarget open(const FlowSpec& flow, const SocketAddress& at, const SocketAddress& caller);

    /// Returns, when every flow's receiver has shown itself, the channels. `check`, which is called all the while, may
    /// throw to end the waiting. Throws: RunError that names the flows whose receiver did not come within `limit`.
    [[nodiscard]] std::map<FlowId, std::unique_ptr<Channel>> meet(Nanos limit, const std::function<void()>& check);

    /// Follows receivers that a NAT has given new addresses. Costs one system call while nothing has come.
    void follow() noexcept;

    /// What a flow's report should say of its listener, a sentence each.
    [[nodiscard]] std::vector<std::string> warnings(FlowId flow) const;

private:
    struct OneListener {
        FlowSpec flow;
        SocketAddress caller;
        std::unique_ptr<FlowListener> listener;
        bool met = false;
    };

    [[nodiscard]] std::string not_met(Nanos limit) const;
    /// "3 punches ... were refused"; empty when there were none.
    [[nodiscard]] static std::string punches_elsewhere(const OneListener& one);

    Clock& clock_;
    DeviceQueues& queues_;
    Nanos token_limit_;
    PunchesFrom punches_from_;
    Poller poller_;
    std::vector<OneListener> listeners_;
};

}  // namespace groma
