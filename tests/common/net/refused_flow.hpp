// A flow of UDP to a port that nobody has open.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "common/net/flow_sockets.hpp"
#include "common/net/udp/udp_channel.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/kernel_clock.hpp"

namespace groma::loopback {

/// An address that the kernel gave away and has taken back.
inline SocketAddress closed_address() {
    return open_inbox(inbox_spec(Transport::udp), kernel_clock())->local_address();
}

/// The refusal of packet 0 waits on the channel to be read.
struct RefusedFlow {
    RefusedFlow() {
        EXPECT_EQ(channel.send(maker.next(1, 100)).sent, 1U);
        EXPECT_TRUE(wait_for(channel.fd(), POLLERR));
    }

    /// Opens the port: what is sent from now on arrives.
    [[nodiscard]] std::unique_ptr<Inbox> open() const {
        InboxSpec spec = inbox_spec(Transport::udp);
        spec.bind_to = address;
        return open_inbox(spec, kernel_clock());
    }

    SocketAddress address = closed_address();
    UdpChannel channel{{Transport::udp, {}, address, kPlenty}};
    FrameMaker maker{Transport::udp};
};

}  // namespace groma::loopback
