// The sending half of common/net/icmp/icmp.hpp.
#include <linux/icmp.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "common/net/channel/message_batch.hpp"
#include "common/net/channel/reply_inbox.hpp"
#include "common/net/icmp/icmp.hpp"
#include "common/net/icmp/icmp_socket.hpp"
#include "common/net/socket/connecting.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_options.hpp"
#include "common/net/stamps/transmit_stamps.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/wire/icmp_packet.hpp"

namespace groma {

namespace {

constexpr int kSendBuffer = 4 << 20;

class IcmpChannel final : public Channel {
public:
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
    [[nodiscard]] std::optional<PathMtu> path() const noexcept override { return path_mtu(socket_.get(), not v6()); }

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

IcmpChannel::IcmpChannel(const ChannelSpec& spec) : to_(spec.to), socket_(open_echo_sender(spec.to, spec.options)) {
    ask_for_buffer(socket_, SO_SNDBUF, kSendBuffer);
    report_errors(socket_, to_.family());
    warnings_ = apply_options(socket_, {spec.transport, to_.family(), SocketSide::sending}, spec.options);
    const SocketAddress host = to_.with_port(0);  // for raw sockets the port is the protocol, or nothing
    connect_datagrams(socket_, labelled(socket_, host, spec.options), "send to " + to_.host_to_string() + " over ICMP");
    stamps_ = transmit_stamps(socket_, spec, local_address());
    if (stamps_ and not stamps_->settings().warning.empty()) {
        warnings_.push_back(stamps_->settings().warning);
    }
}

SendOutcome IcmpChannel::send(std::span<const Frame> frames) noexcept {
    return send_with_reports(report_queue(socket_.get(), stamps_.get()), frames, [this](std::span<const Frame> rest) {
        const std::uint16_t before = sequence_;
        for (std::size_t i = 0; i < std::min(rest.size(), MessageBatch::kMost); ++i) {
            fill(rest[i], batch_.prefix(i));
        }
        const std::size_t sent = batch_.send(socket_.get(), rest);
        sequence_ = static_cast<std::uint16_t>((before + sent) % kEchoSequences);
        return sent;
    });
}

void IcmpChannel::fill(const Frame& frame, std::span<std::byte, kIcmpHeaderSize> header) noexcept {
    IcmpEcho echo{.type = v6() ? kEchoRequest6 : kEchoRequest, .identifier = to_.port(), .sequence = sequence_};
    sequence_ = static_cast<std::uint16_t>((sequence_ + 1) % kEchoSequences);
    serialize(echo, header);
    if (not v6()) {  // the kernel does it for IPv6 (RFC 3542, 3.1), as the addresses take part there
        InternetChecksum checksum;
        checksum.add(header);
        checksum.add(std::span(frame.header).first(frame.header_bytes));
        checksum.add(frame.rest);
        echo.checksum = checksum.value();
        serialize(echo, header);
    }
}

std::unique_ptr<Inbox> IcmpChannel::open_replies(const ReplySpec& spec, Clock& clock) {
    const EchoSocket kind = echo_socket_kind(socket_);
    receive_meter_replies(socket_, {.kind = kind, .v6 = v6(), .identifier = to_.port()});
    const bool with_ip_header = kind == EchoSocket::raw and not v6();
    auto reader = std::make_unique<DatagramReader>(
        reply_inbox_spec(spec, Transport::icmp, to_), socket_, clock,
        DatagramFormat{.in_front = with_ip_header ? DatagramFormat::kIpHeaderAndIcmp : kIcmpHeaderSize,
                       .kind = PacketKind::reply,
                       .leaves_reports = stamps_ != nullptr,
                       .hides_length = kind == EchoSocket::ping});
    return std::make_unique<DatagramReplies>(ReplyPlace{socket_.get(), local_address(), to_}, std::move(reader));
}

SocketAddress IcmpChannel::local_address() const {
    return local_address_of(socket_.get()).with_port(to_.port());
}

}  // namespace

std::unique_ptr<Channel> open_icmp_channel(const ChannelSpec& spec, Clock& /*clock*/) {
    return std::make_unique<IcmpChannel>(spec);
}

}  // namespace groma
