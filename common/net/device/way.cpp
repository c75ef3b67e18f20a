#include "common/net/device/way.hpp"

#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <vector>

#include "common/base/errors.hpp"
#include "common/net/device/netlink.hpp"

namespace groma {

namespace {

std::span<const std::byte> host_bytes(const SocketAddress& address) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(address.data());
    return address.family() == AF_INET6
               ? std::span(bytes, address.size()).subspan(offsetof(sockaddr_in6, sin6_addr), sizeof(in6_addr))
               : std::span(bytes, address.size()).subspan(offsetof(sockaddr_in, sin_addr), sizeof(in_addr));
}

/// Link-local addresses name their interface.
std::uint32_t scope_of(const SocketAddress& address) {
    if (address.family() != AF_INET6) {
        return 0;
    }
    sockaddr_in6 full{};
    std::memcpy(&full, address.data(), sizeof full);
    return full.sin6_scope_id;
}

}  // namespace

int device_towards(const Way& way) {
    if (not way.from.valid() or way.from.family() != way.to.family()) {
        throw RunError("there is no route from " + way.from.host_to_string() + " to " + way.to.host_to_string());
    }
    rtmsg body{};
    body.rtm_family = static_cast<unsigned char>(way.to.family());
    body.rtm_dst_len = body.rtm_src_len = static_cast<unsigned char>(8 * host_bytes(way.to).size());
    NetlinkRequest request(RTM_GETROUTE, 0, body);
    request.add(RTA_DST, host_bytes(way.to));
    request.add(RTA_SRC, host_bytes(way.from));
    if (const std::uint32_t through = way.device.empty() ? scope_of(way.to) : ::if_nametoindex(way.device.c_str());
        through > 0) {
        request.add(RTA_OIF, through);
    }
    const std::vector<std::byte> answer = request.answer();
    for (const NetlinkMessage& message : messages_in(answer)) {
        const std::size_t head = std::min(sizeof(rtmsg), message.body.size());
        for (const NetlinkAttribute& attribute : attributes_in(message.body.subspan(head))) {
            if (message.type == RTM_NEWROUTE and attribute.type == RTA_OIF) {
                return value_in<int>(attribute.value).value_or(0);
            }
        }
    }
    throw RunError("the kernel does not say which device packets to " + way.to.host_to_string() + " take");
}

}  // namespace groma
