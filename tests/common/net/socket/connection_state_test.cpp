#include "common/net/socket/connection_state.hpp"

#include <gtest/gtest.h>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/flow_sockets.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using loopback::FrameMaker;
using loopback::inbox_spec;
using loopback::receive;

TEST(ConnectionState, OfTcpIsToldAtBothEnds) {
    const auto inbox = open_inbox(inbox_spec(Transport::tcp), kernel_clock());
    EXPECT_EQ(inbox->sample(), std::nullopt) << "nobody has connected yet";
    const auto channel = open_channel({Transport::tcp, {}, inbox->local_address(), loopback::kPlenty}, kernel_clock());
    FrameMaker maker(Transport::tcp);
    ASSERT_EQ(channel->send(maker.next(50, 1000)).sent, 50U);
    ASSERT_EQ(receive(*inbox, 50).size(), 50U);
    for (const auto& sample : {channel->sample(), inbox->sample()}) {
        ASSERT_TRUE(sample);
        EXPECT_GT(sample->rtt.value(), Nanos{0});
        EXPECT_GE(sample->cwnd.value(), sample->segment.value());
        EXPECT_EQ(sample->retransmitted, 0U);
        EXPECT_EQ(sample->retransmitted_bytes, 0U);
        EXPECT_EQ(sample->ssthresh, std::nullopt) << "there was no loss";
        EXPECT_LE(sample->in_flight.value(), 50'000U);
    }
    EXPECT_TRUE(channel->sample()->pacing_rate_bps);
}

TEST(ConnectionState, WithoutAConnectionThereIsNone) {
    EXPECT_EQ(tcp_state(-1), std::nullopt);
    EXPECT_EQ(sctp_state(-1), std::nullopt);
    EXPECT_EQ(dccp_state(-1), std::nullopt);
    const auto inbox = open_inbox(inbox_spec(Transport::udp), kernel_clock());
    const auto channel = open_channel({Transport::udp, {}, inbox->local_address(), loopback::kPlenty}, kernel_clock());
    EXPECT_EQ(channel->sample(), std::nullopt);
    EXPECT_EQ(inbox->sample(), std::nullopt);
}

}  // namespace
}  // namespace groma
