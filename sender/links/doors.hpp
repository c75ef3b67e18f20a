// The ports at which a passive sender awaits its receivers, a door for each flow (common/net/nat/door.hpp): opened
// before the receivers are told, looked after until the run is over. Thread: one, its owner's.
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
#include "common/net/nat/door.hpp"
#include "common/os/poller.hpp"
#include "common/time/clock.hpp"

namespace groma {

class Doors {
public:
    enum class KnocksFrom : std::uint8_t { caller, anywhere };

    /// `clock` and `queues` outlive the doors and their channels. `token_limit`: as in DoorSpec.
    Doors(Clock& clock, DeviceQueues& queues, Nanos token_limit, KnocksFrom knocks_from = KnocksFrom::caller)
        : clock_(clock), queues_(queues), token_limit_(token_limit), knocks_from_(knocks_from) {}

    /// Opens the door of a flow on this host's address `at`, on the port that the flow asks for, if it does, for the
    /// receiver that has called in from `caller`.
    /// Returns: what its receiver has to know. Throws: SystemError; RunError when there is no random token.
    [[nodiscard]] DialTarget open(const FlowSpec& flow, const SocketAddress& at, const SocketAddress& caller);

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
        SocketAddress caller;
        std::unique_ptr<Door> door;
        bool met = false;
    };

    [[nodiscard]] std::string not_met(Nanos limit) const;
    /// "3 knocks ... were refused"; empty when there were none.
    [[nodiscard]] static std::string knocks_elsewhere(const OneDoor& one);

    Clock& clock_;
    DeviceQueues& queues_;
    Nanos token_limit_;
    KnocksFrom knocks_from_;
    Poller poller_;
    std::vector<OneDoor> doors_;
};

}  // namespace groma
