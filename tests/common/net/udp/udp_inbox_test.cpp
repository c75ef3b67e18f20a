#include "common/net/udp/udp_inbox.hpp"
#include "common/net/flow_sockets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "common/base/errors.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using namespace loopback;

class UdpInboxOver : public testing::TestWithParam<std::string_view> {};

INSTANTIATE_TEST_SUITE_P(Addresses, UdpInboxOver, testing::Values(kIpv4, kIpv6),
                         [](const auto& instance) { return instance.param == kIpv4 ? "IPv4" : "IPv6"; });

TEST_P(UdpInboxOver, PacketsOfEverySizeComeWithWhatTheyCouldCarry) {
    UdpInbox inbox(inbox_spec(Transport::udp, GetParam()), kernel_clock());
    const auto channel = open_channel({Transport::udp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    std::uint32_t seq = 0;
    for (const std::size_t size : {1U, 3U, 4U, 11U, 12U, 19U, 20U, 21U, 1400U, 65507U}) {
        ASSERT_EQ(channel->send(maker.next(1, size)).sent, 1U) << size;
        const auto arrivals = receive(inbox, 1);
        ASSERT_EQ(arrivals.size(), 1U) << size;
        const PacketPrefix& header = arrivals[0].header;
        EXPECT_EQ(arrivals[0].size, size);
        EXPECT_EQ(header.seq, size >= 4 ? std::optional(seq) : std::nullopt) << size;
        EXPECT_EQ(header.sent_at, size >= 12 ? std::optional(FrameMaker::sent_at(seq)) : std::nullopt) << size;
        EXPECT_EQ(header.flow, size >= 20 ? std::optional(kFlow) : std::nullopt) << size;
        ++seq;
    }
}

TEST_P(UdpInboxOver, ThousandsOfPacketsComeInOrderWhetherSentAloneOrInBatches) {
    UdpInbox inbox(inbox_spec(Transport::udp, GetParam()), kernel_clock());
    const auto channel = open_channel({Transport::udp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    std::uint32_t expected = 0;
    for (std::size_t batch = 1; expected < 5000; batch = batch % 90 + 1) {  // 90: more than one system call takes
        const SendOutcome outcome = channel->send(maker.next(batch, 64));
        ASSERT_EQ(outcome.status, SendStatus::sent);
        ASSERT_EQ(outcome.sent, batch);
        for (const Arrival& arrival : receive(inbox, batch)) {
            ASSERT_EQ(arrival.header.seq, expected++);
        }
    }
    EXPECT_EQ(inbox.counts().malformed + inbox.counts().foreign + inbox.counts().kernel_drops, 0U);
}

TEST_P(UdpInboxOver, EveryPacketHasTheKernelsTime) {
    UdpInbox inbox(inbox_spec(Transport::udp, GetParam()), kernel_clock());
    const auto channel = open_channel({Transport::udp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel->send(maker.next(50, 64)).sent, 50U);
    const auto arrivals = receive(inbox, 50);
    ASSERT_EQ(arrivals.size(), 50U);
    EXPECT_EQ(inbox.counts().unstamped, 0U);
    EXPECT_EQ(inbox.timestamps(), "kernel software");
    EXPECT_GT(arrivals[0].received_at, FrameMaker::sent_at(0)) << "which lies in 2023";
}

TEST_P(UdpInboxOver, TheSenderIsKnownFromItsFirstPacket) {
    UdpInbox inbox(inbox_spec(Transport::udp, GetParam()), kernel_clock());
    const auto channel = open_channel({Transport::udp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    EXPECT_FALSE(inbox.remote_address().valid());
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel->send(maker.next(1, 64)).sent, 1U);
    ASSERT_EQ(receive(inbox, 1).size(), 1U);
    EXPECT_EQ(inbox.remote_address(), channel->local_address());
}

TEST(UdpInbox, PacketsOfAnotherHostAreCountedAndNotTaken) {
    InboxSpec spec = inbox_spec(Transport::udp);
    spec.expected_peer = at("127.0.0.2");
    UdpInbox inbox(spec, kernel_clock());
    const auto channel = open_channel({Transport::udp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel->send(maker.next(1, 64)).sent, 1U);
    EXPECT_EQ(drain_once(inbox), 0U);
    EXPECT_EQ(inbox.counts().foreign, 1U);
    EXPECT_FALSE(inbox.remote_address().valid());
}

TEST(UdpInbox, PacketsOfAnotherFlowAreCountedAndNotTaken) {
    UdpInbox inbox(inbox_spec(Transport::udp), kernel_clock());
    const auto channel = open_channel({Transport::udp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp, FlowId{8});
    ASSERT_EQ(channel->send(maker.next(1, 64)).sent, 1U);
    EXPECT_EQ(drain_once(inbox), 0U);
    EXPECT_EQ(inbox.counts().malformed, 1U);
}

TEST(UdpInbox, PacketsThatAreNotOursAreCountedAndNotTaken) {
    UdpInbox inbox(inbox_spec(Transport::udp), kernel_clock());
    const auto channel = open_channel({Transport::udp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    std::vector<Frame> frames = maker.next(3, 64);
    frames[1].header[16] ^= std::byte{1};  // the magic
    ASSERT_EQ(channel->send(frames).sent, 3U);
    const auto arrivals = receive(inbox, 2);
    ASSERT_EQ(arrivals.size(), 2U);
    EXPECT_EQ(arrivals[1].header.seq, 2U);
    EXPECT_EQ(inbox.counts().malformed, 1U);
}

TEST(UdpInbox, WhatTheKernelHadNoRoomForIsCountedToTheLastPacket) {
    UdpInbox inbox(inbox_spec(Transport::udp), kernel_clock());
    const int small = 1;  // the kernel raises it to its minimum
    ASSERT_EQ(::setsockopt(inbox.fd(), SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    const auto channel = open_channel({Transport::udp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel->send(maker.next(200, 1000)).sent, 200U);
    std::vector<Arrival> out(300);
    std::size_t arrived = 0;
    while (arrived + inbox.counts().kernel_drops < 200) {
        const std::size_t got = inbox.drain(out);
        arrived += got;
        ASSERT_TRUE(got > 0 or arrived + inbox.counts().kernel_drops == 200 or wait_for(inbox.fd(), POLLIN));
    }
    EXPECT_GT(inbox.counts().kernel_drops, 0U);
    EXPECT_EQ(arrived + inbox.counts().kernel_drops, 200U);
}

TEST(UdpInbox, AllAddressesOfAnIpv6HostHearAnIpv4PeerToo) {
    InboxSpec spec = inbox_spec(Transport::udp);
    spec.bind_to = at("::");
    UdpInbox inbox(spec, kernel_clock());
    const auto channel =
        open_channel({Transport::udp, {}, at(kIpv4, inbox.local_address().port()), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel->send(maker.next(1, 64)).sent, 1U);
    EXPECT_EQ(receive(inbox, 1).size(), 1U);
}

TEST(UdpInbox, APortInUseIsAnErrorThatNamesThePort) {
    const UdpInbox first(inbox_spec(Transport::udp), kernel_clock());
    InboxSpec spec = inbox_spec(Transport::udp);
    spec.bind_to = first.local_address();
    try {
        const UdpInbox second(spec, kernel_clock());
        FAIL() << "two flows on one port";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), EADDRINUSE);
        EXPECT_THAT(error.what(), testing::HasSubstr("bind " + first.local_address().to_string()));
        EXPECT_THAT(error.what(), testing::HasSubstr("choose another"));
    }
}

TEST(UdpInbox, AnAddressOfAnotherHostIsAnErrorWithAdvice) {
    InboxSpec spec = inbox_spec(Transport::udp);
    spec.bind_to = at("192.0.2.1", 9000);
    try {
        const UdpInbox inbox(spec, kernel_clock());
        FAIL() << "bound to an address for documentation";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), EADDRNOTAVAIL);
        EXPECT_THAT(error.what(), testing::HasSubstr("ip address"));
    }
}

TEST(UdpInbox, TheReceiveBufferIsEnlarged) {
    UdpInbox inbox(inbox_spec(Transport::udp), kernel_clock());
    const FileDescriptor plain(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    int bytes = 0;
    socklen_t size = sizeof bytes;
    ASSERT_EQ(::getsockopt(plain.get(), SOL_SOCKET, SO_RCVBUF, &bytes, &size), 0);
    EXPECT_GE(inbox.receive_buffer(), static_cast<std::uint64_t>(bytes));
}

}  // namespace
}  // namespace groma
