// The listener of a flow of datagrams: a socket that waits for a good punch, and then a second one on the same port
// (SO_REUSEPORT) that is connected to where the punch came from and carries the flow. The kernel gives that one what
// comes from there; this one hears strangers, and the receiver when its NAT has given it a new address.
#pragma once

#include <memory>

#include "common/net/nat/flow_listener.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/time/clock.hpp"

namespace groma {

class DatagramListener final : public FlowListener {
public:
    /// UDP or UDP-Lite. The clock outlives the listener and its channel. Throws: SystemError.
    DatagramListener(const FlowListenerSpec& spec, Clock& clock);

    [[nodiscard]] std::unique_ptr<Channel> poll() override;
    [[nodiscard]] int fd() const noexcept override { return listener_.get(); }
    [[nodiscard]] SocketAddress local_address() const override { return local_; }
    [[nodiscard]] const FlowListenerCounts& counts() const noexcept override { return counts_; }
    [[nodiscard]] const SocketAddress& elsewhere() const noexcept override { return elsewhere_; }
    [[nodiscard]] const SocketAddress& peer() const noexcept override { return peer_; }

private:
    /// Returns: where a good punch came from; nothing when no more has come for now.
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

}  // namespace groma
