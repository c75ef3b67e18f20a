// Packets that are sent back, over loopback. SCTP and DCCP are not in every kernel: they are tested with the programs,
// in a kernel that has them (tests/e2e/transports_test.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/net/flow_sockets.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/wire/reply.hpp"
#include "tests/common/net/over_every_transport.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using namespace loopback;

InboxSpec reflecting(Transport transport, std::string_view host) {
    InboxSpec spec = inbox_spec(transport, host);
    spec.meter = Meter::round_trip;
    return spec;
}

/// A round-trip flow.
struct Loop {
    explicit Loop(Transport transport, std::string_view host = kIpv4, HeaderLevel level = HeaderLevel::full,
                  const std::optional<MacKey>& seal = std::nullopt)
        : inbox(open(transport, host, level, seal)),
          channel(open_channel({transport, {}, inbox->local_address(), kPlenty}, kernel_clock())),
          replies(channel->open_replies({kFlow, level, seal}, kernel_clock())),
          maker(transport, kFlow, {level, seal}) {}

    static std::unique_ptr<Inbox> open(Transport transport, std::string_view host, HeaderLevel level,
                                       const std::optional<MacKey>& seal) {
        InboxSpec spec = reflecting(transport, host);
        spec.header = level;
        spec.seal = seal;
        return open_inbox(spec, kernel_clock());
    }

    /// Receives this number of packets and sends them back. Returns: the packets.
    std::vector<Arrival> reflect(std::size_t count) {
        std::vector<Arrival> all;
        std::array<Arrival, 64> some{};
        while (all.size() < count) {
            const std::size_t got = inbox->drain(some);
            const ReflectOutcome outcome = inbox->reflect(std::span(some).first(got));
            EXPECT_EQ(outcome.lost, 0U);
            reflected += outcome.sent;
            all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(got));
            if (got == 0 and not wait_for(inbox->fd(), POLLIN)) {
                break;
            }
        }
        return all;
    }

    std::unique_ptr<Inbox> inbox;
    std::unique_ptr<Channel> channel;
    std::unique_ptr<Inbox> replies;
    FrameMaker maker;
    std::size_t reflected = 0;
};

class RepliesOver : public OverTransport {};

INSTANTIATE_TEST_SUITE_P(Over, RepliesOver, every_way(), name_of_way);

TEST_P(RepliesOver, HaveTheSizeAndTheHeaderOfTheirPacketsAndTheReceiversStamps) {
    Loop loop(transport(), host());
    std::uint32_t seq = 0;
    for (const std::size_t size : {40U, 39U, 21U, 1400U, 9000U, 24U}) {
        ASSERT_EQ(loop.channel->send(loop.maker.next(1, size)).sent, 1U) << size;
        const auto arrivals = loop.reflect(1);
        ASSERT_EQ(arrivals.size(), 1U) << size;
        const auto replies = receive(*loop.replies, 1);
        ASSERT_EQ(replies.size(), 1U) << size;
        EXPECT_EQ(replies[0].size, size);
        EXPECT_EQ(replies[0].header, arrivals[0].header);
        EXPECT_EQ(replies[0].header.seq, seq++);
        if (size < 39) {
            EXPECT_EQ(replies[0].reflected_at, ReceivedRecord::kNoTime);
            continue;
        }
        EXPECT_EQ(replies[0].reflected_at, arrivals[0].received_at) << size;
        EXPECT_GE(replies[0].replied_at, replies[0].reflected_at);
        EXPECT_GE(replies[0].received_at, replies[0].replied_at);
    }
    EXPECT_EQ(loop.reflected, 6U);
    EXPECT_EQ(loop.replies->counts().malformed, 0U) << "the kernel's own replies to ICMP are not ours";
}

TEST_P(RepliesOver, ComeBackInBatchesAndInOrder) {
    Loop loop(transport(), host());
    std::uint32_t expected = 0;
    for (int round = 0; round < 10; ++round) {
        ASSERT_EQ(loop.channel->send(loop.maker.next(70, 64)).sent, 70U);
        ASSERT_EQ(loop.reflect(70).size(), 70U);
        for (const Arrival& reply : receive(*loop.replies, 70)) {
            ASSERT_EQ(reply.header.seq, expected++);
        }
    }
    EXPECT_EQ(expected, 700U);
}

TEST_P(RepliesOver, OfPacketsTooSmallForAFlagCarryWhatTheyCould) {
    Loop loop(transport(), host());
    for (const std::size_t size : {1U, 3U, 5U, 13U, 19U}) {
        ASSERT_EQ(loop.channel->send(loop.maker.next(1, size)).sent, 1U) << size;
        const auto arrivals = loop.reflect(1);
        ASSERT_EQ(arrivals.size(), 1U);
        const auto replies = receive(*loop.replies, 1);
        ASSERT_EQ(replies.size(), 1U) << size;
        EXPECT_EQ(replies[0].size, size);
        EXPECT_EQ(replies[0].header, arrivals[0].header);
    }
}

TEST_P(RepliesOver, OfAFlowWithoutAHeaderAreJustAsLarge) {
    Loop loop(transport(), host(), HeaderLevel::none);
    ASSERT_EQ(loop.channel->send(loop.maker.next(1, 300)).sent, 1U);
    ASSERT_EQ(loop.reflect(1).size(), 1U);
    const auto replies = receive(*loop.replies, 1);
    ASSERT_EQ(replies.size(), 1U);
    EXPECT_EQ(replies[0].size, 300U);
    EXPECT_EQ(replies[0].header, PacketPrefix{});
}

constexpr MacKey kSeal{.low = 1, .high = 2};
constexpr MacKey kAnother{.low = 3, .high = 4};

TEST_P(RepliesOver, OfASealedFlowAreSealed) {
    Loop loop(transport(), host(), HeaderLevel::full, kSeal);
    for (const std::size_t size : {31U, 47U, 1400U, 9000U}) {
        ASSERT_EQ(loop.channel->send(loop.maker.next(1, size)).sent, 1U) << size;
        const auto arrivals = loop.reflect(1);
        ASSERT_EQ(arrivals.size(), 1U) << size;
        const auto replies = receive(*loop.replies, 1);
        ASSERT_EQ(replies.size(), 1U) << size;
        EXPECT_EQ(replies[0].header, arrivals[0].header);
        EXPECT_EQ(replies[0].reflected_at, size < 47 ? ReceivedRecord::kNoTime : arrivals[0].received_at) << size;
    }
    EXPECT_EQ(loop.inbox->counts().forged + loop.replies->counts().forged, 0U);
}

TEST_P(RepliesOver, OfASealedFlowNobodyElseCanMakeThemNorThePackets) {
    Loop loop(transport(), host(), HeaderLevel::full, kSeal);
    const auto replies = loop.channel->open_replies({kFlow, HeaderLevel::full, kAnother}, kernel_clock());
    FrameMaker without(transport());
    FrameMaker with_another(transport(), kFlow, {HeaderLevel::full, kAnother});
    ASSERT_EQ(loop.channel->send(without.next(3, 100)).sent, 3U);
    ASSERT_EQ(loop.channel->send(with_another.next(4, 100)).sent, 4U);
    ASSERT_EQ(loop.channel->send(loop.maker.next(1, 100)).sent, 1U);
    EXPECT_EQ(loop.reflect(1).size(), 1U);
    EXPECT_EQ(loop.reflected, 1U) << "what is forged gets no reply";
    EXPECT_EQ(loop.inbox->counts().forged, 7U);
    EXPECT_EQ(loop.inbox->counts().malformed, 0U);
    ASSERT_TRUE(wait_for(replies->fd(), POLLIN));
    std::array<Arrival, 4> out{};
    EXPECT_EQ(replies->drain(out), 0U);
    EXPECT_EQ(replies->counts().forged, 1U) << "the reply to the flow's own, for who has another key";
}

TEST_P(RepliesOver, AReplyIsNeverReplied) {
    Loop loop(transport(), host());
    Frame frame = loop.maker.next(100);
    frame.header[19] = std::byte{kReplyFlag};
    ASSERT_EQ(loop.channel->send(std::span(&frame, 1)).sent, 1U);
    ASSERT_EQ(loop.channel->send(loop.maker.next(1, 100)).sent, 1U);
    EXPECT_EQ(loop.reflect(1).at(0).header.seq, 1U);
    EXPECT_EQ(loop.inbox->counts().malformed, 1U);
    EXPECT_EQ(receive(*loop.replies, 1).at(0).header.seq, 1U);
}

class RepliesOfStreams : public testing::TestWithParam<Transport> {};

INSTANTIATE_TEST_SUITE_P(Over, RepliesOfStreams, testing::Values(Transport::tcp, Transport::mptcp),
                         [](const auto& instance) { return std::string(to_string(instance.param)); });

TEST_P(RepliesOfStreams, StillComeAfterTheSenderHasEndedItsOwn) {
    Loop loop(GetParam());
    ASSERT_EQ(loop.channel->send(loop.maker.next(50, 500)).sent, 50U);
    ASSERT_TRUE(loop.channel->finish(kPlenty));
    ASSERT_EQ(loop.reflect(50).size(), 50U);
    EXPECT_EQ(receive(*loop.replies, 50).size(), 50U);
}

TEST_P(RepliesOfStreams, APeerThatDoesNotReadCostsRepliesAndNothingElse) {
    constexpr std::size_t kSize = 100'000;
    Loop loop(GetParam());
    std::size_t received = 0;
    ReflectOutcome outcome;
    for (int round = 0; outcome.lost == 0 and round < 2'000'000; ++round) {
        (void)loop.channel->send(loop.maker.next(loop.channel->holding() ? 0 : 1, kSize));
        std::array<Arrival, 16> some{};
        const std::size_t got = loop.inbox->drain(some);
        received += got;
        const ReflectOutcome more = loop.inbox->reflect(std::span(some).first(got));
        outcome.sent += more.sent;
        outcome.lost += more.lost;
    }
    ASSERT_GT(outcome.lost, 0U);
    EXPECT_TRUE(loop.inbox->holding());

    std::size_t replies = 0;
    std::array<Arrival, 64> some{};
    while (loop.inbox->holding()) {
        replies += loop.replies->drain(some);
        outcome.sent += loop.inbox->reflect({}).sent;
    }
    while (replies < outcome.sent and wait_for(loop.replies->fd(), POLLIN)) {
        const std::size_t got = loop.replies->drain(some);
        for (const Arrival& reply : std::span(some).first(got)) {
            EXPECT_EQ(reply.size, kSize);
        }
        replies += got;
    }
    EXPECT_EQ(replies, outcome.sent);
    EXPECT_EQ(outcome.sent + outcome.lost, received);
    EXPECT_EQ(loop.replies->state(), InboxState::open);
}

TEST(Replies, ARefusalIsCountedOnceAndLeavesTheSocketQuiet) {
    Loop loop(Transport::udp);
    loop.inbox.reset();
    ASSERT_EQ(loop.channel->send(loop.maker.next(1, 100)).sent, 1U);
    ASSERT_TRUE(wait_for(loop.replies->fd(), POLLIN));
    std::array<Arrival, 4> out{};
    EXPECT_EQ(loop.replies->drain(out), 0U);
    EXPECT_EQ(loop.replies->counts().refused, 1U);
    pollfd entry{.fd = loop.replies->fd(), .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&entry, 1, 0), 0) << "who waits for replies would never sleep";
}

TEST(Replies, AStrangerGetsNone) {
    InboxSpec spec = reflecting(Transport::udp, kIpv4);
    spec.expected_peer = at("127.0.0.2");
    const auto inbox = open_inbox(spec, kernel_clock());
    const auto channel = open_channel({Transport::udp, {}, inbox->local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel->send(maker.next(3, 100)).sent, 3U);
    std::array<Arrival, 4> out{};
    ASSERT_TRUE(wait_for(inbox->fd(), POLLIN));
    EXPECT_EQ(inbox->drain(out), 0U);
    EXPECT_EQ(inbox->counts().foreign, 3U);
    EXPECT_EQ(inbox->reflect({}).sent, 0U);
}

TEST(Replies, GoToWhereTheFlowCameFromWhateverALaterPacketSays) {
    Loop loop(Transport::udp);
    ASSERT_EQ(loop.channel->send(loop.maker.next(1, 8)).sent, 1U);
    ASSERT_EQ(loop.reflect(1).size(), 1U);
    const auto other = open_channel({Transport::udp, {}, loop.inbox->local_address(), kPlenty}, kernel_clock());
    const auto replies_of_other = other->open_replies({kFlow, HeaderLevel::full}, kernel_clock());
    ASSERT_EQ(other->send(loop.maker.next(1, 8)).sent, 1U);
    ASSERT_EQ(loop.reflect(1).size(), 1U);
    std::array<Arrival, 4> out{};
    EXPECT_EQ(receive(*loop.replies, 2).size(), 2U);
    EXPECT_EQ(replies_of_other->drain(out), 0U);
}

}  // namespace
}  // namespace groma
