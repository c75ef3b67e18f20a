// A flow's way out over SCTP (RFC 9260): an association with one peer (RFC 6458, 4), a message a packet. With several
// streams the packets take them in turn. Heartbeats are the kernel's own.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/channel/message_batch.hpp"
#include "common/net/message/sctp_association.hpp"
#include "common/net/socket/connection_state.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

class SctpChannel final : public Channel {
public:
    /// Throws: SystemError "connect to 10.0.0.1:8999 over SCTP".
    SctpChannel(const ChannelSpec& spec, Clock& clock);
    /// A flow of an association that was made for it among others, on the streams from this one on.
    SctpChannel(const ChannelSpec& spec, std::shared_ptr<SctpAssociation> association, std::uint32_t first_stream);

    [[nodiscard]] SendOutcome send(std::span<const Frame> frames) noexcept override;
    /// Nothing is held here; the kernel delivers what it has taken before it ends the association. One on which replies
    /// are awaited ends with the channel.
    [[nodiscard]] bool finish(Nanos limit) noexcept override;
    [[nodiscard]] std::unique_ptr<Inbox> open_replies(const ReplySpec& spec, Clock& clock) override;
    [[nodiscard]] std::optional<ConnectionSample> sample() const noexcept override { return sctp_state(fd()); }
    [[nodiscard]] int fd() const noexcept override { return association_->fd(); }
    [[nodiscard]] SocketAddress local_address() const override;
    [[nodiscard]] SocketAddress remote_address() const override { return to_; }
    [[nodiscard]] std::vector<std::string> warnings() const override { return warnings_; }

private:
    static constexpr std::size_t kControlSize = 64;

    void give_every_message_its_controls(const TransportOptions& options) noexcept;
    void set_stream(std::size_t index, std::uint16_t stream) noexcept;

    SocketAddress to_;
    std::shared_ptr<SctpAssociation> association_;
    std::vector<std::string> warnings_;
    std::uint32_t first_stream_ = 0;
    std::uint32_t streams_ = 1;      ///< of the flow
    std::uint32_t next_stream_ = 0;  ///< behind the first
    std::uint16_t flags_ = 0;        ///< of every message: SCTP_UNORDERED
    bool replies_awaited_ = false;   ///< open_replies() was called
    MessageBatch batch_;
    struct alignas(std::uint64_t) Control {
        std::array<std::byte, kControlSize> bytes{};
    };
    std::array<Control, MessageBatch::kMost> controls_{};
};

/// Channels of flows that share one association. Throws: as SctpAssociation.
[[nodiscard]] std::vector<std::unique_ptr<Channel>> open_sctp_channels(std::span<const ChannelSpec> flows,
                                                                       Clock& clock);

/// What the socket of a listener must be told before an association comes. Throws: SystemError.
void prepare_sctp_listener(const FileDescriptor& socket, const TransportOptions& options);

/// Listens for a flow's association. The clock outlives the inbox. Throws: SystemError.
[[nodiscard]] std::unique_ptr<Inbox> open_sctp_inbox(const InboxSpec& spec, Clock& clock);

}  // namespace groma
