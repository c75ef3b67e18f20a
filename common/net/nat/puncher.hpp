// Punches for one flow of a receiver that dials (docs/guide/nat.md): shows the flow's token where the sender awaits it,
// from the socket on which the flow will come in. Datagrams are sent again each time, as one may be lost and because
// they keep the way back through a NAT open; a connection carries the token once. Owns no socket.
#pragma once

#include <cstddef>

#include "common/model/transport/transport.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/wire/punch.hpp"

namespace groma {

class Puncher {
public:
    /// The inbox, which was opened with InboxSpec::dial, outlives the puncher.
    Puncher(const Inbox& inbox, Transport transport, const SocketAddress& to, const PunchToken& token);

    /// Shows the token if it can be shown now. Never blocks. Thread: one at a time; another may receive meanwhile.
    void punch() noexcept;

    /// How many punches the kernel has taken.
    [[nodiscard]] std::size_t taken() const noexcept { return taken_; }

private:
    const Inbox& inbox_;
    bool connects_;
    bool once_;  ///< the transport delivers what it has taken
    SocketAddress to_;
    PunchBytes bytes_;
    std::size_t shown_ = 0;  ///< bytes that a connection has taken
    std::size_t taken_ = 0;
};

}  // namespace groma
