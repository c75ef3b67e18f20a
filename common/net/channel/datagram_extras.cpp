#include "common/net/channel/datagram_extras.hpp"

#include <netinet/in.h>
#include <netinet/udp.h>

#include <cstring>

#include "common/net/socket/socket.hpp"

namespace groma {

namespace {

/// Of a control message that holds a number of this type.
template <typename Number>
std::optional<Number> number_in(const cmsghdr& part) noexcept {
    if (part.cmsg_len < CMSG_LEN(sizeof(Number))) {
        return std::nullopt;
    }
    Number value{};
    std::memcpy(&value, CMSG_DATA(&part), sizeof value);
    return value;
}

void take_of_socket(const cmsghdr& part, DatagramExtras& extras) noexcept {
    if (part.cmsg_type == SCM_TIMESTAMPNS) {
        if (const auto time = number_in<timespec>(part)) {
            extras.software = WallTime{std::chrono::seconds(time->tv_sec) + Nanos(time->tv_nsec)};
        }
    } else if (part.cmsg_type == SO_RXQ_OVFL) {
        extras.drops = number_in<std::uint32_t>(part);
    } else if (const auto stamps = stamps_of(part)) {
        extras.hardware = stamps->hardware;
    }
}

// IPv4 gives the DS byte as a byte, everything else is an int.
void take_of_header(const cmsghdr& part, DatagramExtras& extras) noexcept {
    const bool v4 = part.cmsg_level == IPPROTO_IP;
    if (v4 and part.cmsg_type == IP_TOS) {
        extras.ds_byte = number_in<std::uint8_t>(part).value_or(0);
    } else if (v4 ? part.cmsg_type == IP_TTL : part.cmsg_type == IPV6_HOPLIMIT) {
        extras.ttl = static_cast<std::uint8_t>(number_in<int>(part).value_or(0));
    } else if (not v4 and part.cmsg_type == IPV6_TCLASS) {
        extras.ds_byte = static_cast<std::uint8_t>(number_in<int>(part).value_or(0));
    }
}

void ask_for_header(const FileDescriptor& socket) {
    int family = 0;
    socklen_t size = sizeof family;
    ::getsockopt(socket.get(), SOL_SOCKET, SO_DOMAIN, &family, &size);
    if (family == AF_INET6) {
        set_option(socket, IPPROTO_IPV6, IPV6_RECVHOPLIMIT, 1, "IPV6_RECVHOPLIMIT");
        set_option(socket, IPPROTO_IPV6, IPV6_RECVTCLASS, 1, "IPV6_RECVTCLASS");
        // For packets of IPv4 that come in on [::]; raw sockets do not get any, and refuse.
        const int on = 1;
        (void)::setsockopt(socket.get(), IPPROTO_IP, IP_RECVTTL, &on, sizeof on);
        (void)::setsockopt(socket.get(), IPPROTO_IP, IP_RECVTOS, &on, sizeof on);
    } else {
        set_option(socket, IPPROTO_IP, IP_RECVTTL, 1, "IP_RECVTTL");
        set_option(socket, IPPROTO_IP, IP_RECVTOS, 1, "IP_RECVTOS");
    }
}

}  // namespace

StampSettings ask_for_extras(const FileDescriptor& socket, const InboxSpec& spec) {
    set_option(socket, SOL_SOCKET, SO_RXQ_OVFL, 1, "SO_RXQ_OVFL");
    if (spec.options.arrival_header.value_or(false)) {
        ask_for_header(socket);
    }
    const StampSource asked = spec.options.arrival_stamps.value_or(StampSource::kernel);
    if (asked == StampSource::user) {
        return {.source = asked};
    }
    set_option(socket, SOL_SOCKET, SO_TIMESTAMPNS, 1, "SO_TIMESTAMPNS");
    return asked == StampSource::kernel ? StampSettings{}
                                        : switch_on_stamps(socket, StampDirection::arriving, asked, spec.bind_to);
}

DatagramExtras extras_of(msghdr& message) noexcept {
    DatagramExtras extras;
    for (const cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
         part = CMSG_NXTHDR(&message, const_cast<cmsghdr*>(part))) {
        if (part->cmsg_level == SOL_SOCKET) {
            take_of_socket(*part, extras);
        } else if (part->cmsg_level == IPPROTO_IP or part->cmsg_level == IPPROTO_IPV6) {
            take_of_header(*part, extras);
        } else if (part->cmsg_level == SOL_UDP and part->cmsg_type == UDP_GRO) {
            extras.packet_size = static_cast<std::uint32_t>(number_in<int>(*part).value_or(0));
        }
    }
    return extras;
}

}  // namespace groma
