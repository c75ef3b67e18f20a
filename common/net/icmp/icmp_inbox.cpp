#include "common/net/icmp/icmp_inbox.hpp"

#include <sys/socket.h>

#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_options.hpp"
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

}  // namespace

IcmpInbox::IcmpInbox(const InboxSpec& spec, Clock& clock)
    : held_(hold_identifier(address_to_bind(spec))),
      local_(address_to_bind(spec).with_port(held_.identifier)),
      socket_(open_echo_receiver(local_.family(), held_.identifier)),
      reader_(spec, socket_, clock,
              {.in_front = local_.family() == AF_INET6 ? kIcmpHeaderSize : DatagramFormat::kIpHeaderAndIcmp}),
      replies_(spec.meter == Meter::round_trip ? std::make_unique<ReplyBatch>(spec.header, clock) : nullptr) {
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

}  // namespace groma
