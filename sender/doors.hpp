// The ports at which a passive sender awaits its receivers, a door for each flow (common/net/door.hpp): opened before
// the receivers are told, looked after until the run is over. Thread: one, its owner's.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "common/base/ids.hpp"
#include "common/control/messages.hpp"
#include "common/net/channel.hpp"
#include "common/net/device_queues.hpp"
#include "common/net/door.hpp"
#include "common/os/poller.hpp"
#include "common/time/clock.hpp"

namespace groma {

class Doors {
public:
    /// `clock` and `queues` outlive the doors and their channels. `token_limit`: as in DoorSpec.
    Doors(Clock& clock, DeviceQueues& queues, Nanos token_limit)
        : clock_(clock), queues_(queues), token_limit_(token_limit) {}

    /// Opens the door of a flow on this host's address `at`, on the port that the flow asks for, if it does.
    /// Returns: what its receiver has to know. Throws: SystemError; RunError when there is no random token.
    [[nodiscard]] DialTarget open(const FlowSpec& flow, const SocketAddress& at);

    /// Returns, when every flow's receiver has shown itself, the channels. `check`, which is called all the while, may
    /// throw to end the waiting. Throws: RunError that names the flows whose receiver did not come within `limit`.
    [[nodiscard]] std::map<FlowId, std::unique_ptr<Channel>> meet(Nanos limit, const std::function<void()>& check);

    /// Follows receivers that a NAT has given new addresses. Costs one system call while nothing has come.
    void follow() noexcept;

    /// What a flow's report should say of its door, a sentence each.
    [[nodiscard]] std::vector<std::string> remarks(FlowId flow) const;

private:
    struct OneDoor {
        FlowSpec flow;
        std::unique_ptr<Door> door;
        bool met = false;
    };

    [[nodiscard]] std::string not_met() const;

    Clock& clock_;
    DeviceQueues& queues_;
    Nanos token_limit_;
    Poller poller_;
    std::vector<OneDoor> doors_;
};

}  // namespace groma
