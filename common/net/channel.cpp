#include "common/net/channel.hpp"

#include "common/net/tcp_channel.hpp"
#include "common/net/udp_channel.hpp"

namespace groma {

std::unique_ptr<Channel> open_channel(Transport transport, const SocketAddress& to, Nanos limit) {
    if (transport == Transport::tcp) {
        return std::make_unique<TcpChannel>(to, limit);
    }
    return std::make_unique<UdpChannel>(to);
}

}  // namespace groma
