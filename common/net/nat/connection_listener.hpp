// The listener of a flow over a connection: listens, and gives away the first connection whose first bytes, or first
// message, are the flow's token.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "common/net/nat/flow_listener.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/time/clock.hpp"

namespace groma {

class ConnectionListener final : public FlowListener {
public:
    /// TCP, MPTCP, SCTP or DCCP. The clock outlives the listener and its channel. Throws: SystemError.
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

}  // namespace groma
