#include "common/net/nat/flow_listener.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <deque>
#include <iterator>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/net/message/dccp_channel.hpp"
#include "common/net/message/sctp_channel.hpp"
#include "common/net/socket/port_search.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/socket/socket_options.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

constexpr int kBacklog = 64;
/// Connections that may be silent at one time; one more, and the oldest has to go.
constexpr std::size_t kMostCallers = 32;

FileDescriptor bound_listener(const FlowListenerSpec& spec) {
    FileDescriptor listener = open_flow_socket(spec.transport, spec.bind_to);
    set_option(listener, SOL_SOCKET, SO_REUSEADDR, 1, "SO_REUSEADDR");  // over connections that linger, not listeners
    // What a connection inherits and what has to be known before it is made; the channel says what the kernel refused.
    TransportOptions options = spec.options;
    if (spec.transport == Transport::dccp) {
        options = dccp_options(options);
    } else if (spec.transport == Transport::sctp) {
        prepare_sctp_listener(listener, options);
    }
    (void)apply_options(listener, {spec.transport, spec.bind_to.family(), SocketSide::sending}, options);
    bind_in_range(listener, spec.bind_to, spec.bind_to, spec.options.source_ports);
    return listener;
}

/// The listener of a flow over a connection: listens, and gives away the first connection whose first bytes, or first
/// message, are the flow's token.
class ConnectionListener final : public FlowListener {
public:
    ConnectionListener(const FlowListenerSpec& spec, Clock& clock);

    [[nodiscard]] std::unique_ptr<Channel> poll() override;
    [[nodiscard]] int fd() const noexcept override { return listener_.valid() ? listener_.get() : -1; }
    [[nodiscard]] SocketAddress local_address() const override { return local_; }
    [[nodiscard]] const FlowListenerCounts& counts() const noexcept override { return counts_; }
    [[nodiscard]] const SocketAddress& elsewhere() const noexcept override { return elsewhere_; }
    [[nodiscard]] const SocketAddress& peer() const noexcept override { return peer_; }

private:
    /// A connection that has not shown the token yet.
    struct Caller {
        FileDescriptor socket;
        SocketAddress address;
        MonoTime came{};
        PunchBytes bytes{};
        std::size_t have = 0;
    };
    enum class Said : std::uint8_t { nothing_yet, token, token_elsewhere, something_else };

    void take_callers();
    [[nodiscard]] Said listen_to(Caller& caller) const noexcept;
    [[nodiscard]] std::unique_ptr<Channel> meet(Caller& caller);

    FlowListenerSpec spec_;
    Clock& clock_;
    FileDescriptor listener_;
    SocketAddress local_;
    std::deque<Caller> callers_;  ///< oldest first
    SocketAddress peer_;
    SocketAddress elsewhere_;
    FlowListenerCounts counts_;
};

ConnectionListener::ConnectionListener(const FlowListenerSpec& spec, Clock& clock)
    : spec_(spec), clock_(clock), listener_(bound_listener(spec)) {
    if (::listen(listener_.get(), kBacklog) < 0) {
        const int error = errno;
        throw SystemError("listen on " + spec.bind_to.to_string(), error,
                          "another program has this port: choose another");
    }
    local_ = local_address_of(listener_.get());
}

std::unique_ptr<Channel> ConnectionListener::poll() {
    if (peer_.valid()) {
        return nullptr;
    }
    take_callers();
    const MonoTime now = clock_.now();
    for (auto caller = callers_.begin(); caller != callers_.end();) {
        const Said said = listen_to(*caller);
        if (said == Said::token) {
            return meet(*caller);
        }
        if (said == Said::token_elsewhere) {
            ++counts_.elsewhere;
            elsewhere_ = caller->address;
            caller = callers_.erase(caller);
            continue;
        }
        const bool gone = said == Said::something_else or now - caller->came > spec_.token_limit;
        counts_.strangers += gone ? 1U : 0U;
        caller = gone ? callers_.erase(caller) : std::next(caller);
    }
    return nullptr;
}

void ConnectionListener::take_callers() {
    for (std::size_t i = 0; i < kMostCallers; ++i) {
        sockaddr_storage storage{};
        socklen_t size = sizeof storage;
        auto* const address = reinterpret_cast<sockaddr*>(&storage);
        FileDescriptor accepted(::accept4(listener_.get(), address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (not accepted.valid()) {
            return;
        }
        if (callers_.size() == kMostCallers) {
            callers_.pop_front();
            ++counts_.strangers;
        }
        callers_.push_back({.socket = std::move(accepted),
                            .address = SocketAddress(address, size),
                            .came = clock_.now(),
                            .bytes = {},
                            .have = 0});
    }
}

// Never more than the token: what follows it on a stream would be lost. A message that is longer is cut by the kernel
// to what may be a token, which only the receiver knows.
ConnectionListener::Said ConnectionListener::listen_to(Caller& caller) const noexcept {
    const ssize_t count =
        ::recv(caller.socket.get(), caller.bytes.data() + caller.have, caller.bytes.size() - caller.have, MSG_DONTWAIT);
    if (count < 0 and (errno == EAGAIN or errno == EINTR)) {
        return Said::nothing_yet;
    }
    if (count <= 0) {
        return Said::something_else;
    }
    caller.have += static_cast<std::size_t>(count);
    if (caller.have < caller.bytes.size()) {
        return traits(spec_.transport).stream ? Said::nothing_yet : Said::something_else;
    }
    const auto token = parse_punch(caller.bytes);
    if (not token or not same_token(*token, spec_.token)) {
        return Said::something_else;
    }
    return may_punch(spec_, caller.address) ? Said::token : Said::token_elsewhere;
}

std::unique_ptr<Channel> ConnectionListener::meet(Caller& caller) {
    const SocketAddress address = caller.address;
    FileDescriptor socket = std::move(caller.socket);
    counts_.strangers += callers_.size() - 1;
    callers_.clear();
    auto channel =
        open_channel({.transport = spec_.transport, .options = spec_.options, .to = address, .met = &socket}, clock_);
    peer_ = address;
    listener_.reset();
    return channel;
}

}  // namespace

std::unique_ptr<FlowListener> open_connection_listener(const FlowListenerSpec& spec, Clock& clock) {
    return std::make_unique<ConnectionListener>(spec, clock);
}

}  // namespace groma
