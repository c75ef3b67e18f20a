#include "common/net/open_inbox.hpp"

#include <cstdlib>

#include "common/base/errors.hpp"
#include "common/net/icmp/icmp_inbox.hpp"
#include "common/net/message/dccp_channel.hpp"
#include "common/net/message/sctp_channel.hpp"
#include "common/net/stream/tcp_inbox.hpp"
#include "common/net/udp/udp_inbox.hpp"
#include "common/net/user_sctp/user_sctp.hpp"

namespace groma {

std::unique_ptr<Inbox> open_inbox(const InboxSpec& spec, Clock& clock) {
    check(spec.bind_to.valid() and spec.expected_peer.valid(), "a flow needs an address and a peer");
    switch (spec.transport) {
        case Transport::udp:
        case Transport::udplite:
            return std::make_unique<UdpInbox>(spec, clock);
        case Transport::tcp:
        case Transport::mptcp:
            return std::make_unique<TcpInbox>(spec, clock);
        case Transport::icmp:
            return std::make_unique<IcmpInbox>(spec, clock);
        case Transport::sctp:
            return open_sctp_inbox(spec, clock);
        case Transport::dccp:
            return open_dccp_inbox(spec, clock);
        case Transport::usrsctp:
            return open_user_sctp_inbox(spec, clock);
    }
    check(false, "a transport without an inbox");
    std::abort();
}

}  // namespace groma
