#include "common/shipping/spool/kept_log.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

std::vector<std::byte> piece(std::uint64_t number, std::size_t bytes = 1000) {
    return std::vector<std::byte>(bytes, static_cast<std::byte>(number));
}

class KeptLogTest : public testing::Test {
protected:
    std::unique_ptr<Spool> spool(SpoolBudget& budget) {
        return Spool::create(directory_.path(),
                             {.server = "c:9001", .experiment = "e", .name = "sender", .token = {}, .program = "test"},
                             budget);
    }
    TemporaryFolder directory_;
    SpoolBudget room_{1U << 30U};
    SpoolBudget full_{10};
};

TEST_F(KeptLogTest, WhatFallsOutOfMemoryComesBackFromTheSpool) {
    KeptLog log(3000, spool(room_));
    for (std::uint64_t i = 0; i < 20; ++i) {
        EXPECT_EQ(log.append(piece(i)), i + 1);
    }
    std::vector<std::byte> bytes;
    for (std::uint64_t i = 0; i < 20; ++i) {
        log.read(i, bytes);
        EXPECT_EQ(bytes, piece(i));
        log.sent(i + 1);
    }
    EXPECT_EQ(log.counts().read_back, 17'000U);
    EXPECT_EQ(log.counts().largest_backlog, 20'000U);
    EXPECT_EQ(log.counts().not_spooled, 0U);
}

TEST_F(KeptLogTest, WithoutASpoolMemoryKeepsWhatIsNotConfirmed) {
    KeptLog log(3000, nullptr);
    (void)log.append(piece(0));
    (void)log.append(piece(1));
    log.sent(2);
    log.confirmed(1);
    (void)log.append(piece(2));
    std::vector<std::byte> bytes;
    log.read(1, bytes);
    EXPECT_EQ(bytes, piece(1));
    EXPECT_THROW(log.read(0, bytes), RunError);
}

TEST_F(KeptLogTest, WaitsWhileThereIsRoomNowhereAndLosesNothing) {
    KeptLog log(3000, spool(full_));
    std::thread writer([&] {
        for (std::uint64_t i = 0; i < 50; ++i) {
            (void)log.append(piece(i));
        }
    });
    std::vector<std::byte> bytes;
    for (std::uint64_t i = 0; i < 50; ++i) {
        while (log.counts().handed_pieces <= i) {
            std::this_thread::yield();
        }
        EXPECT_LE(log.counts().handed_pieces, i + 4);
        log.read(i, bytes);
        EXPECT_EQ(bytes, piece(i));
        log.sent(i + 1);
        log.confirmed(i + 1);
    }
    writer.join();
    EXPECT_EQ(log.counts().not_spooled, 50U);
    EXPECT_NE(log.counts().spool_error.find("--spool-limit"), std::string::npos);
    EXPECT_EQ(log.counts().durable_bytes, 50'000U);
}

TEST_F(KeptLogTest, SpoolsWhatWaitedWhenThereIsRoomAgain) {
    SpoolBudget budget(8000);
    auto folder = directory_.path() / std::string(32, '0');
    {
        KeptLog log(100'000, spool(budget));
        for (std::uint64_t i = 0; i < 12; ++i) {
            (void)log.append(piece(i));
        }
        EXPECT_GT(log.counts().not_spooled, 0U);
        log.sent(12);
        log.confirmed(6);
        for (std::uint64_t i = 12; i < 14; ++i) {
            (void)log.append(piece(i));
        }
    }
    const auto left = Spool::open(folder);
    EXPECT_LE(left->first(), 6U);
    EXPECT_GT(left->end(), 7U);
}

TEST_F(KeptLogTest, TheTotalsAreThoseOfAllPieces) {
    KeptLog log(3000, spool(room_));
    (void)log.append(piece(1));
    (void)log.append(piece(2));
    const CloseLog totals = log.seal();
    EXPECT_EQ(totals.pieces, 2U);
    EXPECT_EQ(totals.bytes, 2000U);
    RunningHash hash;
    hash.add(piece(1));
    hash.add(piece(2));
    EXPECT_EQ(totals.hash, hash.value());
}

TEST_F(KeptLogTest, AWriterThatWaitsIsToldWhenNobodyTakesItsPieces) {
    KeptLog log(1000, nullptr);
    (void)log.append(piece(0));
    std::thread ender([&] { log.let_go("refused: no"); });
    EXPECT_THROW((void)log.append(piece(1)), RunError);
    ender.join();
}

}  // namespace
}  // namespace groma
