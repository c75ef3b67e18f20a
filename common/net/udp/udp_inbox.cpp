#include "common/net/udp/udp_inbox.hpp"

#include <sys/socket.h>

#include "common/net/channel/multicast.hpp"
#include "common/net/socket/port_search.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/net/socket/socket_options.hpp"

namespace groma {

namespace {

constexpr int kSendBuffer = 4 << 20;  // of replies

/// `bytes`: as the kernel counts, which doubles what it is asked for (socket(7)).
std::string clipped_buffer(std::uint64_t bytes) {
    std::string text = "the receive buffer is of " + std::to_string(bytes / 2) + " bytes instead of ";
    text.append(std::to_string(DatagramReader::kReceiveBuffer));
    return text.append(", so that bursts are dropped sooner (sysctl net.core.rmem_max, or CAP_NET_ADMIN)");
}

}  // namespace

UdpInbox::UdpInbox(const InboxSpec& spec, Clock& clock)
    : socket_(open_flow_socket(spec.transport, spec.bind_to)),
      reader_(spec, socket_, clock),
      replies_(spec.meter == Meter::round_trip ? std::make_unique<ReplyBatch>(spec.format(), clock) : nullptr) {
    if (replies_) {
        ask_for_buffer(socket_, SO_SNDBUF, kSendBuffer);
    }
    warnings_ = apply_options(socket_, {spec.transport, spec.bind_to.family(), SocketSide::receiving}, spec.options);
    warnings_.insert(warnings_.end(), reader_.warnings().begin(), reader_.warnings().end());
    if (not spec.options.receive_buffer and receive_buffer() < 2 * DatagramReader::kReceiveBuffer) {
        warnings_.push_back(clipped_buffer(receive_buffer()));
    }
    if (spec.options.group.empty()) {
        bind_in_range(socket_, spec.bind_to, spec.expected_peer, spec.options.ports);
    } else {
        join_group(socket_, spec);
    }
}

ReflectOutcome UdpInbox::reflect(std::span<const Arrival> arrivals) noexcept {
    // To where the flow's first packet came from, whatever later ones say: packets that are too small to be marked as
    // replies could otherwise be thrown to and fro between two flows by somebody who forges one.
    const SocketAddress& to = reader_.remote();
    return replies_->send(socket_.get(), arrivals, [&to](std::size_t, ReplyBatch::Envelope& envelope) {
        envelope.to = to.data();
        envelope.to_size = to.size();
    });
}

SocketAddress UdpInbox::local_address() const {
    return local_address_of(socket_.get());
}

std::uint64_t UdpInbox::receive_buffer() const noexcept {
    return buffer_size(socket_.get(), SO_RCVBUF);
}

}  // namespace groma
