// A flow of UDP to a closed port.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "common/net/flow_sockets.hpp"
#include "common/net/udp/udp_channel.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/kernel_clock.hpp"

namespace groma::loopback {

/// An address that the kernel assigned and has released.
inline SocketAddress closed_address() {
    return open_inbox(inbox_spec(Transport::udp), kernel_clock())->local_address();
}

/// The refusal of packet 0 is pending on the channel.
struct RefusedFlow {
    RefusedFlow() {
        EXPECT_EQ(channel.send(maker.next(1, 100)).sent, 1U);
        EXPECT_TRUE(wait_for(channel.fd(), POLLERR));
    }

    /// Opens the port: packets sent from now on arrive.
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
