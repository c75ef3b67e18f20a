#include "common/net/udp_channel.hpp"

#include <gtest/gtest.h>

#include "tests/common/net/loopback.hpp"

namespace groma {
namespace {

using namespace loopback;

TEST(UdpChannel, APacketThatIsTooBigIsNotSentAndTheOnesBeforeItAre) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp));
    UdpChannel channel({Transport::udp, {}, inbox->local_address(), kPlenty});
    FrameMaker maker(Transport::udp);
    const std::vector<Frame> frames = {maker.next(100), maker.next(65508), maker.next(100)};
    const SendOutcome outcome = channel.send(frames);
    EXPECT_EQ(outcome.status, SendStatus::too_big);
    EXPECT_EQ(outcome.sent, 1U);
    EXPECT_EQ(outcome.errno_value, EMSGSIZE);
    EXPECT_EQ(channel.send(std::span(frames).subspan(2)).sent, 1U);
    EXPECT_EQ(receive(*inbox, 2)[1].header.seq, 2U);
}

TEST(UdpChannel, SayingThatNobodyListensCostsNoPacket) {
    auto closed = open_inbox(inbox_spec(Transport::udp));
    const SocketAddress address = closed->local_address();
    closed.reset();
    UdpChannel channel({Transport::udp, {}, address, kPlenty});
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel.send(maker.next(1, 100)).sent, 1U);
    ASSERT_TRUE(wait_for(channel.fd(), POLLERR));

    InboxSpec spec = inbox_spec(Transport::udp);
    spec.bind_to = address;
    const auto inbox = open_inbox(spec);
    const SendOutcome outcome = channel.send(maker.next(1, 100));
    EXPECT_EQ(outcome.status, SendStatus::refused);
    EXPECT_EQ(outcome.sent, 1U);
    EXPECT_EQ(outcome.errno_value, ECONNREFUSED);
    EXPECT_EQ(receive(*inbox, 1)[0].header.seq, 1U);
    EXPECT_EQ(channel.send(maker.next(1, 100)).status, SendStatus::sent) << "one report, told once";
}

TEST(UdpChannel, AfterATooBigPacketTheSocketIsNotInErrorAnyMore) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp));
    UdpChannel channel({Transport::udp, {}, inbox->local_address(), kPlenty});
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel.send(maker.next(1, 65508)).status, SendStatus::too_big);
    pollfd entry{.fd = channel.fd(), .events = POLLOUT, .revents = 0};
    ASSERT_EQ(::poll(&entry, 1, 0), 1);
    EXPECT_EQ(entry.revents, POLLOUT) << "a worker that waits for room would never sleep";
}

TEST(UdpChannel, HoldsNothingAndKnowsItsAddresses) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp));
    UdpChannel channel({Transport::udp, {}, inbox->local_address(), kPlenty});
    EXPECT_FALSE(channel.holding());
    EXPECT_TRUE(channel.finish(Nanos{0}));
    EXPECT_EQ(channel.remote_address(), inbox->local_address());
    EXPECT_TRUE(channel.local_address().is_loopback());
    EXPECT_NE(channel.local_address().port(), 0);
    EXPECT_GT(channel.send_buffer(), 0U);
}

}  // namespace
}  // namespace groma
