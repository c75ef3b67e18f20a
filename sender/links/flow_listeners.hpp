// The ports at which a passive sender awaits its receivers, one listener per flow (common/net/nat/flow_listener.hpp).
// They open before the receivers learn them and stay open until the run is over. Thread: its owner's.
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

    /// Opens the listener of a flow at the local address `at`, on the flow's port if it has one, for the receiver that
    /// called in from `caller`. Returns: the data for the receiver. Throws: SystemError; RunError without a random
    /// token.
    [[nodiscard]] DialTarget open(const FlowSpec& flow, const SocketAddress& at, const SocketAddress& caller);

    /// Waits until the receiver of each flow has connected. Returns: the channels. Calls `check` repeatedly; it may
    /// throw to end the wait. Throws: RunError with the names of flows without a receiver after `limit`.
    [[nodiscard]] std::map<FlowId, std::unique_ptr<Channel>> meet(Nanos limit, const std::function<void()>& check);

    /// Follows receivers to new addresses after a NAT rebinding. One system call if there is no input.
    void follow() noexcept;

    /// Warnings of a flow's listener for the report, a sentence each.
    [[nodiscard]] std::vector<std::string> warnings(FlowId flow) const;

private:
    struct OneListener {
        FlowSpec flow;
        SocketAddress caller;
        std::unique_ptr<FlowListener> listener;
        bool met = false;
    };

    [[nodiscard]] std::string not_met(Nanos limit) const;
    /// "3 punches ... were refused"; empty: none.
    [[nodiscard]] static std::string punches_elsewhere(const OneListener& one);

    Clock& clock_;
    DeviceQueues& queues_;
    Nanos token_limit_;
    PunchesFrom punches_from_;
    Poller poller_;
    std::vector<OneListener> listeners_;
};

}  // namespace groma
