#include "common/net/nat/flow_listener.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <sys/socket.h>

#include <array>
#include <optional>
#include <utility>

#include "common/net/flow_sockets.hpp"
#include "common/net/socket/port_search.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/socket/socket_options.hpp"
#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

/// Datagrams that are looked at in one call, so that a flood of them cannot keep it for ever.
constexpr int kMostLookedAt = 256;

/// Nobody reads this socket: what comes, which is the receiver's punches, is not to fill its buffer.
void take_nothing_in(const FileDescriptor& socket) {
    sock_filter drop = BPF_STMT(BPF_RET | BPF_K, 0);
    const sock_fprog program{.len = 1, .filter = &drop};
    checked("set SO_ATTACH_FILTER on a socket",
            ::setsockopt(socket.get(), SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program));
}

/// The listener of a flow of datagrams: a socket that waits for a good punch, and then a second one on the same port
/// (SO_REUSEPORT) that is connected to where the punch came from and carries the flow. The kernel gives that one what
/// comes from there; this one hears strangers, and the receiver when its NAT has given it a new address.
class DatagramListener final : public FlowListener {
public:
    DatagramListener(const FlowListenerSpec& spec, Clock& clock);

    [[nodiscard]] std::unique_ptr<Channel> poll() override;
    [[nodiscard]] int fd() const noexcept override { return listener_.get(); }
    [[nodiscard]] SocketAddress local_address() const override { return local_; }
    [[nodiscard]] const FlowListenerCounts& counts() const noexcept override { return counts_; }
    [[nodiscard]] const SocketAddress& elsewhere() const noexcept override { return elsewhere_; }
    [[nodiscard]] const SocketAddress& peer() const noexcept override { return peer_; }

private:
    /// Returns: where a good punch came from; empty if there is none for now.
    [[nodiscard]] std::optional<SocketAddress> next_good_punch() noexcept;
    [[nodiscard]] std::unique_ptr<Channel> meet(const SocketAddress& caller);
    void follow(const SocketAddress& caller) noexcept;
    [[nodiscard]] FileDescriptor second_socket() const;

    FlowListenerSpec spec_;
    Clock& clock_;
    FileDescriptor listener_;
    SocketAddress local_;
    FileDescriptor way_;  ///< the channel's socket once more, to connect it anew
    SocketAddress peer_;
    SocketAddress elsewhere_;
    FlowListenerCounts counts_;
};

DatagramListener::DatagramListener(const FlowListenerSpec& spec, Clock& clock)
    : spec_(spec), clock_(clock), listener_(open_flow_socket(spec.transport, spec.bind_to)) {
    bind_in_range(listener_, spec.bind_to, spec.bind_to, spec.options.source_ports);
    local_ = local_address_of(listener_.get());
}

// The port is shared while this socket is bound and at no other time: no other program, and no other flow, gets it.
FileDescriptor DatagramListener::second_socket() const {
    FileDescriptor socket = open_flow_socket(spec_.transport, local_);
    set_option(listener_, SOL_SOCKET, SO_REUSEPORT, 1, "SO_REUSEPORT");
    set_option(socket, SOL_SOCKET, SO_REUSEPORT, 1, "SO_REUSEPORT");
    bind_socket(socket, local_, local_);
    set_option(listener_, SOL_SOCKET, SO_REUSEPORT, 0, "SO_REUSEPORT");
    set_option(socket, SOL_SOCKET, SO_REUSEPORT, 0, "SO_REUSEPORT");
    return socket;
}

std::unique_ptr<Channel> DatagramListener::poll() {
    std::unique_ptr<Channel> channel;
    while (const auto caller = next_good_punch()) {
        if (not peer_.valid()) {
            channel = meet(*caller);
        } else if (*caller != peer_) {
            follow(*caller);
        }
    }
    return channel;
}

std::optional<SocketAddress> DatagramListener::next_good_punch() noexcept {
    for (int i = 0; i < kMostLookedAt; ++i) {
        std::array<std::byte, kPunchBytes + 1> bytes{};  // one more: a longer datagram is no punch
        sockaddr_storage storage{};
        socklen_t size = sizeof storage;
        auto* const source = reinterpret_cast<sockaddr*>(&storage);
        const ssize_t count = ::recvfrom(listener_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT, source, &size);
        if (count < 0) {
            return std::nullopt;
        }
        const auto token = parse_punch(std::span(bytes).first(static_cast<std::size_t>(count)));
        if (not token or not same_token(*token, spec_.token)) {
            ++counts_.strangers;
            continue;
        }
        const SocketAddress from(source, size);
        if (may_punch(spec_, from)) {
            return from;
        }
        ++counts_.elsewhere;
        elsewhere_ = from;
    }
    return std::nullopt;
}

std::unique_ptr<Channel> DatagramListener::meet(const SocketAddress& caller) {
    FileDescriptor socket = second_socket();
    if (spec_.meter == Meter::one_way) {
        take_nothing_in(socket);
    }
    FileDescriptor again(checked("duplicate a socket", ::fcntl(socket.get(), F_DUPFD_CLOEXEC, 0)));
    auto channel = open_channel(
        {.transport = spec_.transport, .options = spec_.options, .to = caller, .met = &socket, .queues = spec_.queues},
        clock_);
    way_ = std::move(again);
    peer_ = caller;
    return channel;
}

void DatagramListener::follow(const SocketAddress& caller) noexcept {
    if (::connect(way_.get(), caller.data(), caller.size()) == 0) {
        peer_ = caller;
        ++counts_.moves;
    }
}

}  // namespace

std::unique_ptr<FlowListener> open_datagram_listener(const FlowListenerSpec& spec, Clock& clock) {
    return std::make_unique<DatagramListener>(spec, clock);
}

}  // namespace groma
