// Replies on a pair of connected sockets, whose other end a test reads when it likes.
#include "common/net/stream/reply_stream.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "common/os/file_descriptor.hpp"
#include "common/time/manual_clock.hpp"

namespace groma {
namespace {

constexpr WallTime kReceivedAt = wall_time_from_ns(1'600'000'000'000'000'000);

class ReplyStreamTest : public testing::Test {
protected:
    ReplyStreamTest() {
        std::array<int, 2> pair{};
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()), 0);
        ours_ = FileDescriptor(pair[0]);
        peers_ = FileDescriptor(pair[1]);
    }

    /// Packets numbered on from the last ones.
    std::vector<Arrival> packets(std::size_t count, std::uint32_t size) {
        std::vector<Arrival> arrivals(count);
        for (Arrival& arrival : arrivals) {
            arrival.received_at = kReceivedAt;
            arrival.header = {.seq = seq_++, .sent_at = kReceivedAt, .flow = FlowId{7}};
            arrival.size = size;
        }
        return arrivals;
    }
    ReflectOutcome send(std::span<const Arrival> arrivals) { return replies_.send(ours_.get(), arrivals); }
    /// What has come at the other end.
    std::vector<StreamFrame> read() {
        std::vector<std::byte> bytes(1U << 20U);
        std::vector<StreamFrame> frames;
        while (true) {
            const ssize_t got = ::recv(peers_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
            if (got <= 0) {
                return frames;
            }
            auto piece = std::span<const std::byte>(bytes).first(static_cast<std::size_t>(got));
            while (const auto frame = parser_.next(piece)) {
                frames.push_back(*frame);
            }
        }
    }

    ManualClock clock_;
    FileDescriptor ours_;
    FileDescriptor peers_;
    ReplyStream replies_{HeaderLevel::full, clock_};
    StreamFrameParser parser_{HeaderLevel::full, PacketKind::reply};
    std::uint32_t seq_ = 0;
};

TEST_F(ReplyStreamTest, AReplyIsAsLongAsItsPacketAndHasBothStamps) {
    clock_.advance(std::chrono::hours(1));
    const auto outcome = send(packets(3, 40'000));
    EXPECT_EQ(outcome.sent, 3U);
    EXPECT_EQ(outcome.lost, 0U);
    const auto frames = read();
    ASSERT_EQ(frames.size(), 3U);
    for (std::uint32_t seq = 0; seq < 3; ++seq) {
        EXPECT_EQ(frames[seq].size, 40'000U);
        ASSERT_TRUE(frames[seq].header);
        EXPECT_EQ(frames[seq].header->seq, seq);
        EXPECT_EQ(frames[seq].stamps, (ReplyStamps{.reflected_at = kReceivedAt, .replied_at = clock_.wall_now()}));
    }
}

TEST_F(ReplyStreamTest, WhatTheSocketHasNoRoomForWaitsAndGoesInOrder) {
    constexpr std::size_t kReplies = 200;
    const std::size_t first = send(packets(kReplies, 20'000)).sent;
    ASSERT_LT(first, kReplies) << "the socket took four megabytes";
    EXPECT_TRUE(replies_.holding());
    clock_.advance(std::chrono::hours(1));
    std::size_t sent = first;
    std::vector<StreamFrame> frames;
    while (replies_.holding()) {
        std::ranges::copy(read(), std::back_inserter(frames));
        const auto outcome = send({});
        ASSERT_EQ(outcome.lost, 0U);
        sent += outcome.sent;
    }
    std::ranges::copy(read(), std::back_inserter(frames));
    EXPECT_EQ(sent, kReplies);
    ASSERT_EQ(frames.size(), kReplies);
    for (std::uint32_t seq = 0; seq < kReplies; ++seq) {
        ASSERT_TRUE(frames[seq].header) << seq;
        EXPECT_EQ(frames[seq].header->seq, seq);
    }
    EXPECT_EQ(frames.back().stamps.replied_at, clock_.wall_now()) << "when it goes, not when it was queued";
    EXPECT_FALSE(parser_.failed());
}

TEST_F(ReplyStreamTest, HoldsSoManyAndLosesTheRest) {
    while (not replies_.holding()) {
        (void)send(packets(1, 100'000));
    }
    const auto outcome = send(packets(ReplyStream::kMostHeld + 5, 100'000));
    EXPECT_EQ(outcome.sent, 0U);
    EXPECT_EQ(outcome.lost, 6U) << "one was held already";
}

TEST_F(ReplyStreamTest, AConnectionThatIsGoneHoldsNothing) {
    while (not replies_.holding()) {
        (void)send(packets(1, 100'000));
    }
    peers_.reset();
    EXPECT_EQ(send({}).sent, 0U);
    EXPECT_FALSE(replies_.holding());
}

}  // namespace
}  // namespace groma
