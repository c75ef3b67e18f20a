#include "common/net/inbox.hpp"

#include "common/base/errors.hpp"
#include "common/net/tcp_inbox.hpp"
#include "common/net/udp_inbox.hpp"

namespace groma {

std::unique_ptr<Inbox> open_inbox(const InboxSpec& spec) {
    check(spec.bind_to.valid() and spec.expected_peer.valid(), "a flow needs an address and a peer");
    if (spec.transport == Transport::tcp) {
        return std::make_unique<TcpInbox>(spec);
    }
    return std::make_unique<UdpInbox>(spec);
}

}  // namespace groma
