// A port at which a sender awaits a receiver that dials (docs/guide/nat.md): whoever shows the flow's token there
// becomes the flow's target. Nobody else is sent a byte.
#pragma once

#include <cstdint>
#include <memory>

#include "common/net/channel/channel.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/wire/punch.hpp"

namespace groma {

struct FlowListenerSpec {
    Transport transport = Transport::udp;
    TransportOptions options;
    Meter meter = Meter::one_way;
    SocketAddress bind_to;  ///< port 0: the kernel chooses
    PunchToken token{};
    SocketAddress caller{};                    ///< whose host alone may punch; not valid: any host may
    Nanos token_limit = SessionTimes().token;  ///< for a connection to show the token
    DeviceQueues* queues = nullptr;            ///< as in ChannelSpec; outlives the listener
};

struct FlowListenerCounts {
    std::uint64_t strangers = 0;  ///< datagrams and connections that did not show the token
    std::uint64_t elsewhere = 0;  ///< that did show it, from another host than the caller's
    std::uint64_t moves = 0;      ///< times that the receiver's datagrams came from a new address
};

/// Thread: one at a time; the channel that it gives may be used by another.
class FlowListener {
public:
    FlowListener() = default;
    FlowListener(const FlowListener&) = delete;
    FlowListener& operator=(const FlowListener&) = delete;
    virtual ~FlowListener() = default;

    /// Looks who has come, without waiting. Returns: the flow's channel, once, when its receiver has shown itself; null
    /// otherwise. Afterwards, a listener for datagrams follows the receiver when a NAT gives it a new address.
    /// Throws: SystemError when the channel cannot be opened.
    [[nodiscard]] virtual std::unique_ptr<Channel> poll() = 0;

    /// What to wait on for reading; negative when nobody is awaited any more. Somebody who is known to this listener
    /// may speak without it becoming readable: poll() now and then.
    [[nodiscard]] virtual int fd() const noexcept = 0;
    [[nodiscard]] virtual SocketAddress local_address() const = 0;
    [[nodiscard]] virtual const FlowListenerCounts& counts() const noexcept = 0;
    /// Where the last one of `FlowListenerCounts::elsewhere` came from; invalid when there was none.
    [[nodiscard]] virtual const SocketAddress& elsewhere() const noexcept = 0;
    /// Where the receiver is now; invalid before it has shown itself.
    [[nodiscard]] virtual const SocketAddress& peer() const noexcept = 0;
};

/// Whether a punch with the token is taken from there: a datagram's source can be forged, and the flow follows it.
[[nodiscard]] inline bool may_punch(const FlowListenerSpec& spec, const SocketAddress& from) {
    return not spec.caller.valid() or spec.caller.same_host(from);
}

/// The clock outlives the listener and its channel. Requires: TransportTraits::dialled.
/// Throws: SystemError "bind 10.0.0.1:8999", with advice.
[[nodiscard]] std::unique_ptr<FlowListener> open_flow_listener(const FlowListenerSpec& spec, Clock& clock);

/// The same for one kind of transport: TCP, MPTCP, SCTP or DCCP; UDP or UDP-Lite.
[[nodiscard]] std::unique_ptr<FlowListener> open_connection_listener(const FlowListenerSpec& spec, Clock& clock);
[[nodiscard]] std::unique_ptr<FlowListener> open_datagram_listener(const FlowListenerSpec& spec, Clock& clock);

}  // namespace groma
