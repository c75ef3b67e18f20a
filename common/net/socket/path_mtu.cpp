#include "common/net/socket/path_mtu.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

namespace groma {

std::optional<PathMtu> path_mtu(int socket, bool is_ipv4) noexcept {
    const int headers = (is_ipv4 ? 20 : 40) + 8;
    int mtu = 0;
    socklen_t size = sizeof mtu;
    const int asked = is_ipv4 ? ::getsockopt(socket, IPPROTO_IP, IP_MTU, &mtu, &size)
                              : ::getsockopt(socket, IPPROTO_IPV6, IPV6_MTU, &mtu, &size);
    if (asked < 0 or mtu <= headers) {
        return std::nullopt;
    }
    return PathMtu{static_cast<std::size_t>(mtu), static_cast<std::size_t>(mtu - headers)};
}

}  // namespace groma
