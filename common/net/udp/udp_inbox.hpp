// A flow's way in over UDP or UDP-Lite: a bound socket.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/net/channel/datagram_reader.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/channel/reply_batch.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

class UdpInbox final : public Inbox {
public:
    /// The clock outlives the inbox. Throws: SystemError "bind 10.0.0.1:8999".
    UdpInbox(const InboxSpec& spec, Clock& clock);

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override { return reader_.drain(out); }
    [[nodiscard]] ReflectOutcome reflect(std::span<const Arrival> arrivals) noexcept override;
    [[nodiscard]] InboxState state() const noexcept override { return InboxState::open; }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return reader_.counts(); }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return reader_.timestamps(); }
    [[nodiscard]] std::optional<GroStart> gro() const noexcept override { return reader_.gro(); }
    [[nodiscard]] std::vector<std::string> warnings() const override { return warnings_; }
    [[nodiscard]] int fd() const noexcept override { return socket_.get(); }
    [[nodiscard]] SocketAddress local_address() const override;
    [[nodiscard]] SocketAddress remote_address() const override { return reader_.remote(); }

    /// What the kernel gave of the 8 MiB of receive buffer that were asked for.
    [[nodiscard]] std::uint64_t receive_buffer() const noexcept;

private:
    FileDescriptor socket_;
    DatagramReader reader_;
    std::unique_ptr<ReplyBatch> replies_;  ///< null: one way only
    std::vector<std::string> warnings_;
};

}  // namespace groma
