// A flow's way out over DCCP (RFC 4340): a connection, a packet of it a packet of ours. What congestion control does
// not let go waits in the kernel's queue; when that is full, the packet waits here and is late, as with TCP.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/channel/message_batch.hpp"
#include "common/net/socket/connection_state.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

class DccpChannel final : public Channel {
public:
    /// Throws: SystemError "connect to 10.0.0.1:8999 over DCCP".
    DccpChannel(const ChannelSpec& spec, Clock& clock);

    /// A packet larger than the path takes (MPS) is too_big.
    [[nodiscard]] SendOutcome send(std::span<const Frame> frames) noexcept override;
    [[nodiscard]] bool finish(Nanos limit) noexcept override;
    [[nodiscard]] std::unique_ptr<Inbox> open_replies(const ReplySpec& spec, Clock& clock) override;
    [[nodiscard]] std::optional<ConnectionSample> sample() const noexcept override { return dccp_state(fd()); }
    [[nodiscard]] int fd() const noexcept override { return socket_.get(); }
    [[nodiscard]] SocketAddress local_address() const override;
    [[nodiscard]] SocketAddress remote_address() const override { return to_; }
    [[nodiscard]] std::vector<std::string> warnings() const override { return warnings_; }

private:
    SocketAddress to_;
    FileDescriptor socket_;
    std::vector<std::string> warnings_;
    MessageBatch batch_;
};

/// As a flow over DCCP has them: with a service code, which both ends must know before they connect.
[[nodiscard]] TransportOptions dccp_options(const TransportOptions& asked);

/// Listens for a flow's connection. The clock outlives the inbox. Throws: SystemError.
[[nodiscard]] std::unique_ptr<Inbox> open_dccp_inbox(const InboxSpec& spec, Clock& clock);

}  // namespace groma
