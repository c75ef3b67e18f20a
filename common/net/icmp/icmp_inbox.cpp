// The receiving half of common/net/icmp/icmp.hpp.
#include <sys/socket.h>

#include <string>
#include <vector>

#include "common/net/channel/datagram_reader.hpp"
#include "common/net/channel/reply_batch.hpp"
#include "common/net/icmp/icmp.hpp"
#include "common/net/icmp/icmp_socket.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_options.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/wire/icmp_packet.hpp"

namespace groma {

namespace {

constexpr int kSendBuffer = 4 << 20;  // of replies

/// On [::] an IPv4 peer is heard by a socket of IPv4: raw sockets of IPv6 do not take it in.
SocketAddress address_to_bind(const InboxSpec& spec) {
    const SocketAddress& asked = spec.bind_to;
    return asked.is_unspecified() and spec.expected_peer.is_ipv4()
               ? SocketAddress::from_literal("0.0.0.0", asked.port())
               : asked;
}

class IcmpInbox final : public Inbox {
public:
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

IcmpInbox::IcmpInbox(const InboxSpec& spec, Clock& clock)
    : held_(hold_identifier(address_to_bind(spec))),
      local_(address_to_bind(spec).with_port(held_.identifier)),
      socket_(open_echo_receiver(local_.family(), held_.identifier)),
      reader_(spec, socket_, clock,
              {.in_front = local_.family() == AF_INET6 ? kIcmpHeaderSize : DatagramFormat::kIpHeaderAndIcmp}),
      replies_(spec.meter == Meter::round_trip ? std::make_unique<ReplyBatch>(spec.format(), clock) : nullptr) {
    if (replies_) {
        ask_for_buffer(socket_, SO_SNDBUF, kSendBuffer);
    }
    warnings_ = apply_options(socket_, {spec.transport, local_.family(), SocketSide::receiving}, spec.options);
    warnings_.insert(warnings_.end(), reader_.warnings().begin(), reader_.warnings().end());
    const SocketAddress host = local_.with_port(0);
    bind_socket(socket_, host, spec.expected_peer);
}

ReflectOutcome IcmpInbox::reflect(std::span<const Arrival> arrivals) noexcept {
    const std::span<const std::uint16_t> sequences = reader_.icmp_sequences();
    return replies_->send(socket_.get(), arrivals, [this, sequences](std::size_t i, ReplyBatch::Envelope& envelope) {
        address(sequences[i], envelope);
    });
}

void IcmpInbox::address(std::uint16_t sequence, ReplyBatch::Envelope& envelope) const noexcept {
    const bool v6 = local_.family() == AF_INET6;
    IcmpEcho echo{.type = v6 ? kEchoReply6 : kEchoReply,
                  .identifier = held_.identifier,
                  .sequence = static_cast<std::uint16_t>(sequence | kMeterReply)};
    serialize(echo, envelope.prefix);
    if (not v6) {  // as the sender's (icmp_channel.cpp)
        InternetChecksum checksum;
        checksum.add(envelope.prefix);
        checksum.add(envelope.header);
        echo.checksum = checksum.value();
        serialize(echo, envelope.prefix);
    }
    envelope.prefix_size = kIcmpHeaderSize;
    envelope.to = reader_.remote().data();
    envelope.to_size = reader_.remote().size();
}

}  // namespace

std::unique_ptr<Inbox> open_icmp_inbox(const InboxSpec& spec, Clock& clock) {
    return std::make_unique<IcmpInbox>(spec, clock);
}

}  // namespace groma
