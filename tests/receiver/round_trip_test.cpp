// Flows with the round-trip meter through a complete receiver.
#include <gmock/gmock.h>
#include <poll.h>

#include "common/net/channel/inbox.hpp"
#include "common/net/flow_sockets.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/receiver/receiver_fixture.hpp"

namespace groma {
namespace {

/// A sender's end of a flow that is sent back.
class Sending {
public:
    Sending(const FlowSpec& spec, const SocketAddress& to)
        : spec_(spec),
          channel_(
              open_channel({.transport = spec.transport, .options = {}, .to = to, .limit = kPatience}, kernel_clock())),
          replies_(channel_->open_replies({spec.id, spec.header}, kernel_clock())) {}

    /// Returns: whether the kernel took all of it.
    bool send(std::uint32_t seq, std::size_t size) {
        const std::size_t header = header_bytes_for(spec_.transport, size, spec_.header);
        Frame frame;
        frame.header_bytes = static_cast<std::uint8_t>(header);
        frame.rest = std::span(filler_).first(size - header);
        serialize(PacketHeader{.seq = seq, .sent_at = wall_time_from_ns(1), .flow = spec_.id}, frame.header, header);
        bool sent = channel_->send(std::span(&frame, 1)).sent == 1;
        while (channel_->holding() and wait(channel_->fd(), POLLOUT)) {
            sent = channel_->send({}).status != SendStatus::closed and sent;
        }
        return sent;
    }

    std::vector<Arrival> replies(std::size_t count) {
        std::vector<Arrival> all;
        std::array<Arrival, 64> some{};
        while (all.size() < count) {
            const std::size_t got = replies_->drain(some);
            all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(got));
            if (got == 0 and (replies_->state() != InboxState::open or not wait(replies_->fd(), POLLIN))) {
                break;
            }
        }
        return all;
    }

    bool finish() { return channel_->finish(kPatience); }

private:
    static bool wait(int fd, short events) {
        pollfd entry{.fd = fd, .events = events, .revents = 0};
        return ::poll(&entry, 1, 100'000) == 1;
    }

    FlowSpec spec_;
    std::unique_ptr<Channel> channel_;
    std::unique_ptr<Inbox> replies_;
    std::vector<std::byte> filler_ = std::vector<std::byte>(kMaxStreamFrame);
};

class RoundTripTest : public ReceiverFixture {
protected:
    RoundTripTest() { start(); }

    static FlowSpec round_trip(std::uint32_t id, Transport transport) {
        FlowSpec spec = flow(id, transport);
        spec.meter = Meter::round_trip;
        return spec;
    }
};

TEST_F(RoundTripTest, EveryPacketIsSentBackCountedAndLogged) {
    for (const Transport transport : {Transport::udp, Transport::tcp}) {
        TestSender sender(address());
        const FlowSpec spec = round_trip(1, transport);
        const std::string name = std::string(to_string(transport)) + ".glog";
        const auto ports = begin(sender, {spec}, name);
        Sending flow(spec, ports.at(0));
        for (std::uint32_t seq = 0; seq < 100; ++seq) {
            ASSERT_TRUE(flow.send(seq, 200));
        }
        const auto replies = flow.replies(100);
        ASSERT_EQ(replies.size(), 100U);
        EXPECT_EQ(replies[99].header.seq, 99U);
        ASSERT_TRUE(flow.finish());
        const ReceiverResults results = finish(sender, {{.flow = FlowId{1}, .packets = 100, .bytes = 20'000}});
        EXPECT_EQ(results.flows.at(0).packets, 100U);
        EXPECT_EQ(results.flows.at(0).replies, 100U);
        EXPECT_EQ(results.flows.at(0).replies_lost, 0U);
        sender.close();
        wait_for("100 sent back");
        EXPECT_THAT(log(name).totals->flows.at(0).counters,
                    testing::Contains(std::pair<std::string, std::uint64_t>("replies", 100)));
    }
}

TEST_F(RoundTripTest, AReplyThatIsLargerThanTheSocketsBufferComesWithoutAnotherPacket) {
    constexpr std::size_t kLarge = 1 << 20;
    TestSender sender(address());
    const FlowSpec spec = round_trip(1, Transport::tcp);
    const auto ports = begin(sender, {spec});
    Sending flow(spec, ports.at(0));
    for (std::uint32_t seq = 0; seq < 20; ++seq) {
        ASSERT_TRUE(flow.send(seq, kLarge));
        const auto replies = flow.replies(1);
        ASSERT_EQ(replies.size(), 1U);
        EXPECT_EQ(replies[0].size, kLarge);
    }
}

TEST_F(RoundTripTest, RepliesThatWaitForRoomStillGoWhenTheSenderHasEndedItsStream) {
    constexpr std::size_t kLarge = 1 << 20;
    TestSender sender(address());
    const FlowSpec spec = round_trip(1, Transport::tcp);
    const auto ports = begin(sender, {spec});
    Sending flow(spec, ports.at(0));
    for (std::uint32_t seq = 0; seq < 20; ++seq) {
        ASSERT_TRUE(flow.send(seq, kLarge));
    }
    ASSERT_TRUE(flow.finish());
    EXPECT_EQ(flow.replies(20).size(), 20U);
    const ReceiverResults results = finish(sender, {{.flow = FlowId{1}, .packets = 20, .bytes = 20 * kLarge}});
    EXPECT_EQ(results.flows.at(0).replies, 20U);
    EXPECT_EQ(results.flows.at(0).state, "ok");
}

TEST_F(RoundTripTest, AFlowOfOneWayIsNotAnswered) {
    TestSender sender(address());
    const FlowSpec spec = flow(1);
    const auto ports = begin(sender, {spec});
    Sending one(spec, ports.at(0));
    ASSERT_TRUE(one.send(0, 100));
    const ReceiverResults results = finish(sender, {{.flow = FlowId{1}, .packets = 1, .bytes = 100}});
    EXPECT_EQ(results.flows.at(0).packets, 1U);
    EXPECT_EQ(results.flows.at(0).replies, 0U);
    EXPECT_EQ(results.flows.at(0).replies_lost, 0U);
}

TEST_F(RoundTripTest, WhatIsMarkedAsAReplyIsMalformedAndNotSentBack) {
    TestSender sender(address());
    const FlowSpec spec = round_trip(1, Transport::udp);
    const auto ports = begin(sender, {spec});
    const auto channel = open_channel(
        {.transport = Transport::udp, .options = {}, .to = ports.at(0), .limit = kPatience}, kernel_clock());
    Frame frame;
    frame.header_bytes = kPacketHeaderSize;
    serialize(PacketHeader{.seq = 0, .sent_at = {}, .flow = FlowId{1}}, frame.header, kPacketHeaderSize);
    frame.header[19] = std::byte{kReplyFlag};
    ASSERT_EQ(channel->send(std::span(&frame, 1)).sent, 1U);
    const ReceiverResults results = finish(sender, {{.flow = FlowId{1}, .packets = 0, .bytes = 0}});
    EXPECT_EQ(results.flows.at(0).malformed, 1U);
    EXPECT_EQ(results.flows.at(0).packets + results.flows.at(0).replies, 0U);
}

}  // namespace
}  // namespace groma
