#include "common/net/open_channel.hpp"

#include <cstdlib>

#include "common/base/errors.hpp"
#include "common/net/icmp/icmp_channel.hpp"
#include "common/net/message/dccp_channel.hpp"
#include "common/net/message/sctp_channel.hpp"
#include "common/net/stream/tcp_channel.hpp"
#include "common/net/udp/udp_channel.hpp"
#include "common/net/user_sctp/user_sctp.hpp"

namespace groma {

std::unique_ptr<Channel> open_channel(const ChannelSpec& spec, Clock& clock) {
    switch (spec.transport) {
        case Transport::udp:
        case Transport::udplite:
            return std::make_unique<UdpChannel>(spec);
        case Transport::tcp:
        case Transport::mptcp:
            return std::make_unique<TcpChannel>(spec, clock);
        case Transport::icmp:
            return std::make_unique<IcmpChannel>(spec);
        case Transport::sctp:
            return std::make_unique<SctpChannel>(spec, clock);
        case Transport::dccp:
            return std::make_unique<DccpChannel>(spec, clock);
        case Transport::usrsctp:
            return open_user_sctp_channel(spec, clock);
    }
    check(false, "a transport without a channel");
    std::abort();
}

}  // namespace groma
