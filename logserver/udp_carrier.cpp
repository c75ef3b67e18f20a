#include "logserver/udp_carrier.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <utility>

#include "common/net/socket/socket.hpp"

namespace groma {

namespace {

constexpr int kReceiveBuffer = 8 << 20;
constexpr int kSendBuffer = 2 << 20;

FileDescriptor bind_to(const SocketAddress& address) {
    FileDescriptor socket = open_socket(address, SOCK_DGRAM);
    ask_for_buffer(socket, SO_RCVBUF, kReceiveBuffer);
    ask_for_buffer(socket, SO_SNDBUF, kSendBuffer);
    set_option(socket, SOL_SOCKET, SO_RXQ_OVFL, 1, "SO_RXQ_OVFL");
    if (address.family() == AF_INET6) {
        set_option(socket, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1, "IPV6_RECVPKTINFO");
        set_option(socket, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO, "IPV6_MTU_DISCOVER");
    } else {
        set_option(socket, IPPROTO_IP, IP_PKTINFO, 1, "IP_PKTINFO");
        set_option(socket, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO, "IP_MTU_DISCOVER");
    }
    bind_socket(socket, address, address);
    return socket;
}

void add_counts(UdpCarrierCounts& sum, const UdpCarrierCounts& more) {
    sum.opening.hellos += more.opening.hellos;
    sum.opening.accepted += more.opening.accepted;
    sum.opening.repeats += more.opening.repeats;
    sum.opening.bad_tokens += more.opening.bad_tokens;
    sum.opening.refused += more.opening.refused;
    sum.opening.bad_points += more.opening.bad_points;
    sum.opening.too_many += more.opening.too_many;
    sum.strangers += more.strangers;
    sum.not_ours += more.not_ours;
    sum.forged += more.forged;
    sum.malformed += more.malformed;
    sum.refused += more.refused;
    sum.kernel_drops += more.kernel_drops;
}

}  // namespace

std::vector<FileDescriptor> open_udp_sockets(const std::vector<SocketAddress>& addresses) {
    std::vector<FileDescriptor> sockets;
    sockets.reserve(addresses.size());
    for (const SocketAddress& address : addresses) {
        sockets.push_back(bind_to(address));
    }
    return sockets;
}

UdpCarrier::UdpCarrier(std::vector<FileDescriptor> sockets, CarrierSurroundings surroundings,
                       const UdpCarrierSettings& settings)
    : surroundings_(std::move(surroundings)) {
    for (FileDescriptor& socket : sockets) {
        listeners_.push_back(std::make_unique<UdpListener>(std::move(socket), surroundings_, settings));
    }
}

UdpCarrier::~UdpCarrier() = default;

void UdpCarrier::stop() {
    for (const auto& listener : listeners_) {
        listener->stop();
    }
    if (counts() != UdpCarrierCounts{}) {
        surroundings_.report(to_string(counts()));
    }
}

UdpCarrierCounts UdpCarrier::counts() const {
    UdpCarrierCounts sum;
    for (const auto& listener : listeners_) {
        add_counts(sum, listener->counts());
    }
    return sum;
}

std::string to_string(const UdpCarrierCounts& counts) {
    std::string text;
    const auto add = [&](std::uint64_t count, const char* what) {
        if (count > 0) {
            text += (text.empty() ? "UDP: " : ", ") + std::to_string(count) + " " + what;
        }
    };
    add(counts.opening.accepted, "connections");
    add(counts.opening.bad_tokens, "openings with a token that is old or not ours dropped");
    add(counts.opening.refused, "openings refused for their key");
    add(counts.opening.bad_points, "openings with a public key that makes no secret dropped");
    add(counts.opening.too_many + counts.refused, "openings beyond the limits dropped");
    add(counts.opening.repeats, "openings repeated");
    add(counts.strangers, "datagrams of strangers dropped");
    add(counts.not_ours, "datagrams that are none of this protocol dropped");
    add(counts.forged, "datagrams damaged or forged");
    add(counts.malformed, "datagrams malformed");
    add(counts.kernel_drops, "datagrams dropped by the kernel because the socket's buffer was full");
    return text;
}

}  // namespace groma
