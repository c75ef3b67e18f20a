// A flow's way out over ICMP: echo requests with the flow's identifier, whose payload is the packet. Uses a raw socket,
// or, without the right to one, an unprivileged ping socket where the kernel allows it (net.ipv4.ping_group_range,
// icmp(7)). The replies of the receiver's kernel are of no interest here and are kept out; those of the round-trip
// meter are let in when they are wanted.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/message_batch.hpp"
#include "common/net/stamps/transmit_stamps.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/wire/icmp_packet.hpp"

namespace groma {

class IcmpChannel final : public Channel {
public:
    /// The port of `spec.to` is the identifier. Throws: SystemError.
    explicit IcmpChannel(const ChannelSpec& spec);

    [[nodiscard]] SendOutcome send(std::span<const Frame> frames) noexcept override;
    [[nodiscard]] bool finish(Nanos) noexcept override { return true; }
    [[nodiscard]] std::unique_ptr<Inbox> open_replies(const ReplySpec& spec, Clock& clock) override;
    [[nodiscard]] std::size_t take_transmit_stamps(std::span<TransmitStamp> out) noexcept override {
        return stamps_ ? stamps_->take(out) : 0;
    }
    [[nodiscard]] int fd() const noexcept override { return socket_.get(); }
    [[nodiscard]] SocketAddress local_address() const override;
    [[nodiscard]] SocketAddress remote_address() const override { return to_; }
    [[nodiscard]] std::vector<std::string> warnings() const override { return warnings_; }

private:
    [[nodiscard]] bool v6() const noexcept { return to_.family() == AF_INET6; }
    void fill(const Frame& frame, std::span<std::byte, kIcmpHeaderSize> header) noexcept;

    SocketAddress to_;
    FileDescriptor socket_;
    std::vector<std::string> warnings_;
    std::uint16_t sequence_ = 0;
    std::unique_ptr<TransmitStamps> stamps_;  ///< null: not asked for
    MessageBatch batch_{kIcmpHeaderSize};
};

}  // namespace groma
