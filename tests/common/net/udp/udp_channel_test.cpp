#include "common/net/udp/udp_channel.hpp"
#include "common/net/flow_sockets.hpp"

#include <gtest/gtest.h>

#include "tests/common/net/loopback.hpp"
#include "tests/common/net/refused_flow.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using namespace loopback;

TEST(UdpChannel, APacketThatIsTooBigIsNotSentAndTheOnesBeforeItAre) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp), kernel_clock());
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
    RefusedFlow flow;
    const auto inbox = flow.open();
    const SendOutcome outcome = flow.channel.send(flow.maker.next(1, 100));
    EXPECT_EQ(outcome.status, SendStatus::refused);
    EXPECT_EQ(outcome.sent, 1U);
    EXPECT_EQ(outcome.errno_value, ECONNREFUSED);
    EXPECT_EQ(receive(*inbox, 1)[0].header.seq, 1U);
    EXPECT_EQ(flow.channel.send(flow.maker.next(1, 100)).status, SendStatus::sent) << "one report, told once";
}

TEST(UdpChannel, WarmingUpSendsNothing) {
    for (const Transport transport : {Transport::udp, Transport::udplite}) {
        for (const std::string_view host : {kIpv4, kIpv6}) {
            const auto inbox = open_inbox(inbox_spec(transport, host), kernel_clock());
            UdpChannel channel({transport, {}, inbox->local_address(), kPlenty});
            FrameMaker maker(transport);
            for (int i = 0; i < 100; ++i) {
                channel.warm_up();
            }
            ASSERT_EQ(channel.send(maker.next(1, 100)).sent, 1U);
            channel.warm_up();
            ASSERT_EQ(channel.send(maker.next(1, 100)).sent, 1U);
            const std::vector<Arrival> arrivals = receive(*inbox, 2);
            EXPECT_EQ(arrivals[0].header.seq, 0U);
            EXPECT_EQ(arrivals[1].header.seq, 1U);
        }
    }
}

TEST(UdpChannel, WarmingUpLeavesARefusalToTheNextPacket) {
    RefusedFlow flow;
    flow.channel.warm_up();
    EXPECT_EQ(flow.channel.send(flow.maker.next(1, 100)).status, SendStatus::refused);
}

TEST(UdpChannel, AfterATooBigPacketTheSocketIsNotInErrorAnyMore) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp), kernel_clock());
    UdpChannel channel({Transport::udp, {}, inbox->local_address(), kPlenty});
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel.send(maker.next(1, 65508)).status, SendStatus::too_big);
    pollfd entry{.fd = channel.fd(), .events = POLLOUT, .revents = 0};
    ASSERT_EQ(::poll(&entry, 1, 0), 1);
    EXPECT_EQ(entry.revents, POLLOUT) << "a worker that waits for room would never sleep";
}

std::vector<std::size_t> sizes_of(const std::vector<Arrival>& arrivals) {
    std::vector<std::size_t> sizes;
    for (const Arrival& arrival : arrivals) {
        sizes.push_back(arrival.size);
    }
    return sizes;
}

void expect_in_order(const std::vector<Arrival>& arrivals, std::uint32_t first = 0) {
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        ASSERT_EQ(arrivals[i].header.seq, first + i);
        EXPECT_EQ(arrivals[i].header.sent_at, FrameMaker::sent_at(first + static_cast<std::uint32_t>(i)));
        EXPECT_EQ(arrivals[i].header.flow, kFlow);
    }
}

/// Every size of batch, over both families, for small packets (which are copied) and large ones (which are not).
TEST(UdpChannel, PacketsOfABatchArriveEachWithItsOwnHeaderSizeAndPlace) {
    for (const std::string_view host : {kIpv4, kIpv6}) {
        const auto inbox = open_inbox(inbox_spec(Transport::udp, host), kernel_clock());
        UdpChannel channel({Transport::udp, {}, inbox->local_address(), kPlenty});
        for (const std::size_t size : {1U, 4U, 20U, 64U, 256U, 257U, 1472U, 9000U, 65000U}) {
            for (const std::size_t count : {1U, 2U, 63U, 64U, 65U, 200U}) {
                if (count * size > 2'000'000) {
                    continue;  // the receiver's buffer
                }
                FrameMaker maker(Transport::udp);
                ASSERT_EQ(channel.send(maker.next(count, size)).sent, count);
                const std::vector<Arrival> arrivals = receive(*inbox, count);
                EXPECT_EQ(sizes_of(arrivals), std::vector<std::size_t>(count, size));
                if (size >= 20) {
                    expect_in_order(arrivals);
                }
            }
        }
        EXPECT_EQ(channel.warnings(), std::vector<std::string>{});
    }
}

TEST(UdpChannel, SizesThatDifferWithinABatchArriveAsTheyWere) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp), kernel_clock());
    UdpChannel channel({Transport::udp, {}, inbox->local_address(), kPlenty});
    FrameMaker maker(Transport::udp);
    const std::vector<std::size_t> sizes{100, 100, 100, 60, 60, 30, 200, 200, 200, 201, 400, 400, 20, 500, 40, 40};
    std::vector<Frame> frames;
    for (const std::size_t size : sizes) {
        frames.push_back(maker.next(size));
    }
    const SendOutcome outcome = channel.send(frames);
    EXPECT_EQ(outcome.status, SendStatus::sent);
    EXPECT_EQ(outcome.sent, sizes.size());
    const std::vector<Arrival> arrivals = receive(*inbox, sizes.size());
    EXPECT_EQ(sizes_of(arrivals), sizes);
    expect_in_order(arrivals);
}

/// 65,508 bytes are more than a datagram over IPv4.
TEST(UdpChannel, APacketThatIsTooBigBetweenEqualOnesIsTheOnlyOneNotSent) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp), kernel_clock());
    UdpChannel channel({Transport::udp, {}, inbox->local_address(), kPlenty});
    FrameMaker maker(Transport::udp);
    std::vector<Frame> frames = maker.next(70, 100);
    frames.push_back(maker.next(65508));
    const std::vector<Frame> behind = maker.next(10, 100);
    frames.insert(frames.end(), behind.begin(), behind.end());
    const SendOutcome outcome = channel.send(frames);
    EXPECT_EQ(outcome.status, SendStatus::too_big);
    EXPECT_EQ(outcome.sent, 70U);
    EXPECT_EQ(channel.send(std::span(frames).subspan(71)).sent, 10U);
    const std::vector<Arrival> arrivals = receive(*inbox, 80);
    EXPECT_EQ(arrivals[69].header.seq, 69U);
    EXPECT_EQ(arrivals[70].header.seq, 71U);
}

/// The kernel does not segment packets whose checksum it must not compute (SO_NO_CHECK, socket(7)).
TEST(UdpChannel, WhatTheKernelDoesNotSegmentGoesPacketByPacketAndAWarningSaysSo) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp), kernel_clock());
    UdpChannel channel({Transport::udp, {}, inbox->local_address(), kPlenty});
    const int no_checksum = 1;
    ASSERT_EQ(::setsockopt(channel.fd(), SOL_SOCKET, SO_NO_CHECK, &no_checksum, sizeof no_checksum), 0);
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel.send(maker.next(30, 3000)).sent, 30U);
    ASSERT_EQ(channel.send(maker.next(100, 1000)).sent, 100U);
    ASSERT_EQ(channel.send(maker.next(100, 2000)).sent, 100U);
    expect_in_order(receive(*inbox, 230));
    ASSERT_EQ(channel.warnings().size(), 1U);
    EXPECT_NE(channel.warnings()[0].find("packets of 1000 bytes and more go through the kernel one by one"),
              std::string::npos)
        << channel.warnings()[0];
}

TEST(UdpChannel, ARefusalReportedBeforeABatchCostsNoPacketOfIt) {
    RefusedFlow flow;
    const auto inbox = flow.open();
    const SendOutcome outcome = flow.channel.send(flow.maker.next(100, 100));
    EXPECT_EQ(outcome.status, SendStatus::refused);
    EXPECT_EQ(outcome.sent, 100U);
    expect_in_order(receive(*inbox, 100), 1);
    EXPECT_EQ(flow.channel.warnings(), std::vector<std::string>{}) << "the refusal was not about segmentation";
}

TEST(UdpChannel, WhatAFullBufferDidNotTakeGoesWhenItIsOfferedAgain) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp), kernel_clock());
    TransportOptions options;
    options.send_buffer = Bytes{4608};
    UdpChannel channel({Transport::udp, options, inbox->local_address(), kPlenty});
    FrameMaker maker(Transport::udp);
    const std::vector<Frame> frames = maker.next(256, 400);
    std::size_t sent = 0;
    while (sent < frames.size()) {
        const SendOutcome outcome = channel.send(std::span(frames).subspan(sent));
        ASSERT_TRUE(outcome.status == SendStatus::sent or outcome.status == SendStatus::would_block);
        sent += outcome.sent;
        if (outcome.status == SendStatus::would_block) {
            ASSERT_TRUE(wait_for(channel.fd(), POLLOUT));
        }
    }
    expect_in_order(receive(*inbox, frames.size()));
}

TEST(UdpChannel, SegmentationThatIsOffAndUdpLiteSendEveryPacketByItself) {
    for (const Transport transport : {Transport::udp, Transport::udplite}) {
        const auto inbox = open_inbox(inbox_spec(transport), kernel_clock());
        TransportOptions options;
        if (transport == Transport::udp) {
            options.segmentation = Segmentation::off;
        }
        UdpChannel channel({transport, options, inbox->local_address(), kPlenty});
        FrameMaker maker(transport);
        ASSERT_EQ(channel.send(maker.next(200, 100)).sent, 200U);
        expect_in_order(receive(*inbox, 200));
        EXPECT_EQ(channel.warnings(), std::vector<std::string>{});
    }
}

TEST(UdpChannel, HoldsNothingAndKnowsItsAddresses) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp), kernel_clock());
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
