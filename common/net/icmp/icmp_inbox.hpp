// A flow's way in over ICMP: a raw socket that gets the echo requests with the flow's identifier, beside the receiver's
// kernel, which answers them whether anybody asked or not. Replies of the round-trip meter go out on it as well. Takes
// root or CAP_NET_RAW.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/net/channel/datagram_reader.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/channel/reply_batch.hpp"
#include "common/net/icmp/icmp_socket.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

class IcmpInbox final : public Inbox {
public:
    /// The port of `spec.bind_to` is the identifier that is asked for. The clock outlives the inbox.
    /// Throws: SystemError.
    IcmpInbox(const InboxSpec& spec, Clock& clock);

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override { return reader_.drain(out); }
    [[nodiscard]] ReflectOutcome reflect(std::span<const Arrival> arrivals) noexcept override;
    [[nodiscard]] InboxState state() const noexcept override { return InboxState::open; }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return reader_.counts(); }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return reader_.timestamps(); }
    [[nodiscard]] std::vector<std::string> warnings() const override { return warnings_; }
    [[nodiscard]] int fd() const noexcept override { return socket_.get(); }
    /// Its port is the identifier.
    [[nodiscard]] SocketAddress local_address() const override { return local_; }
    [[nodiscard]] SocketAddress remote_address() const override { return reader_.remote(); }

private:
    void address(std::uint16_t sequence, ReplyBatch::Envelope& envelope) const noexcept;

    HeldIdentifier held_;
    SocketAddress local_;
    FileDescriptor socket_;
    DatagramReader reader_;
    std::unique_ptr<ReplyBatch> replies_;  ///< null: one way only
    std::vector<std::string> warnings_;
};

}  // namespace groma
