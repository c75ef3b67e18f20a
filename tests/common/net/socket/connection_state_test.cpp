#include "common/net/socket/connection_state.hpp"

#include <gtest/gtest.h>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/flow_sockets.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"

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

TEST(ConnectionState, OfTcpTellsHowLongItWasBusyAndWhatLimitedIt) {
    const auto inbox = open_inbox(inbox_spec(Transport::tcp), kernel_clock());
    const auto channel = open_channel({Transport::tcp, {}, inbox->local_address(), loopback::kPlenty}, kernel_clock());
    channel->limit_unsent(std::size_t{1} << 20U);
    FrameMaker maker(Transport::tcp);
    SendOutcome outcome;
    for (int calls = 0; calls < 10'000 and outcome.status == SendStatus::sent; ++calls) {
        outcome = channel->send(maker.next(50, 10'000));
    }
    EXPECT_EQ(outcome.status, SendStatus::would_block) << "nothing is read";
    std::optional<SendLimits> found;  // the kernel counts ticks of its clock
    for (const MonoTime end = kernel_clock().now() + kPatience; not found and kernel_clock().now() < end;) {
        found = channel->limits();
    }
    ASSERT_TRUE(found);
    const SendLimits limits = *found;
    EXPECT_GT(limits.busy, Nanos{0});
    EXPECT_LE(limits.by_receive_window + limits.by_send_buffer, limits.busy);
    EXPECT_EQ(limits.by_network(), limits.busy - limits.by_receive_window - limits.by_send_buffer);
}

TEST(ConnectionState, WithoutAConnectionThereIsNone) {
    EXPECT_EQ(tcp_limits(-1), std::nullopt);
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
