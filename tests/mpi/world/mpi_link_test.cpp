#include "mpi/world/mpi_link.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "common/base/errors.hpp"
#include "common/time/manual_clock.hpp"
#include "mpi/world/log_letter.hpp"
#include "tests/mpi/fake_mpi.hpp"

namespace groma {
namespace {

constexpr int kLogServer = 2;
constexpr std::uint32_t kConnection = 77;

std::vector<std::byte> durable_frame(std::uint32_t log) {
    return serialize(LogFrame(LogDurable{.log = log, .pieces = 1}));
}

class MpiLinkTest : public ::testing::Test {
protected:
    /// What the log server's rank, or another one, has sent.
    static void give(std::uint32_t connection, LogLetter::Kind kind, std::span<const std::byte> frame,
                     int from = kLogServer) {
        fake_mpi().give(from, PostKind::logs_to_shipper, serialize(LogLetter{connection, kind, frame}));
    }

    [[nodiscard]] MpiLink link() { return {rank_.world(), kLogServer, kConnection, clock_}; }

    FakeRank rank_{0, 3};
    ManualClock clock_;
};

TEST_F(MpiLinkTest, SendsFramesWithItsNumberAndSaysThatItHasEnded) {
    const std::vector<std::byte> frame = durable_frame(1);
    {
        MpiLink one = link();
        EXPECT_TRUE(one.send(frame));
    }
    const std::vector<FakeMpi::Sent> sent = fake_mpi().sent();
    ASSERT_EQ(sent.size(), 2U);
    for (const FakeMpi::Sent& letter : sent) {
        EXPECT_EQ(letter.to, kLogServer);
        EXPECT_EQ(letter.kind, PostKind::logs_to_server);
        EXPECT_EQ(parse_log_letter(letter.bytes, "rank 0").connection, kConnection);
    }
    const LogLetter first = parse_log_letter(sent[0].bytes, "rank 0");
    EXPECT_EQ(first.kind, LogLetter::Kind::frame);
    EXPECT_TRUE(std::ranges::equal(first.frame, frame));
    EXPECT_EQ(parse_log_letter(sent[1].bytes, "rank 0").kind, LogLetter::Kind::end);
}

TEST_F(MpiLinkTest, GivesTheFramesOfItsOwnConnectionInTheirOrder) {
    give(kConnection - 1, LogLetter::Kind::frame, durable_frame(1));
    give(kConnection - 1, LogLetter::Kind::end, {});  // of the connection before, too
    give(kConnection, LogLetter::Kind::frame, durable_frame(2));
    give(kConnection, LogLetter::Kind::frame, durable_frame(3), kLogServer - 1);
    give(kConnection, LogLetter::Kind::frame, durable_frame(4));
    MpiLink one = link();
    EXPECT_FALSE(one.next().has_value()) << "before turn()";
    one.turn();
    const std::optional<LogFrame> first = one.next();
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(std::get<LogDurable>(*first).log, 2U);
    const std::optional<LogFrame> second = one.next();
    ASSERT_TRUE(second.has_value());
    EXPECT_EQ(std::get<LogDurable>(*second).log, 4U);
    EXPECT_FALSE(one.next().has_value());
}

TEST_F(MpiLinkTest, TheServersEndIsAnError) {
    give(kConnection, LogLetter::Kind::end, {});
    MpiLink one = link();
    one.turn();
    try {
        static_cast<void>(one.next());
        FAIL() << "no error";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), ECONNRESET);
    }
}

TEST_F(MpiLinkTest, TakesNoMoreThanIsOnItsWay) {
    fake_mpi().get_stuck(true);
    MpiLink one = link();
    const std::vector<std::byte> frame = durable_frame(1);
    std::size_t taken = 0;
    while (taken < 1000 and one.send(frame)) {
        ++taken;
    }
    EXPECT_EQ(taken, 32U);
    EXPECT_FALSE(one.send(frame));
    fake_mpi().get_stuck(false);
    EXPECT_TRUE(one.send(frame));
    EXPECT_EQ(fake_mpi().sent().size(), 33U);
}

TEST_F(MpiLinkTest, WhatBreaksMpiBreaksTheLink) {
    MpiLink one = link();
    fake_mpi().break_down();
    EXPECT_THROW(one.turn(), SystemError);
}

TEST_F(MpiLinkTest, EachConnectionHasAnotherNumber) {
    const LinkOpener open = mpi_link(rank_.world(), kLogServer);
    for (std::uint32_t number = 1; number <= 2; ++number) {
        static_cast<void>(open(clock_)->send(durable_frame(1)));
    }
    std::vector<std::uint32_t> numbers;
    for (const FakeMpi::Sent& letter : fake_mpi().sent()) {
        numbers.push_back(parse_log_letter(letter.bytes, "rank 0").connection);
    }
    EXPECT_EQ(numbers, (std::vector<std::uint32_t>{1, 1, 2, 2}));
}

}  // namespace
}  // namespace groma
