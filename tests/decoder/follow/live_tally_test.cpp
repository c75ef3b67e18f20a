#include "decoder/follow/live_tally.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

struct Shown {
    std::vector<LiveRow> rows;
    [[nodiscard]] auto keep() {
        return [this](const LiveRow& row) { rows.push_back(row); };
    }
};

void add_sent(LiveTally& tally, std::uint32_t seq, std::int64_t at_ns, std::uint32_t flow = 1) {
    const SentRecord record = sent_packet(seq, at_ns);
    tally.on_sent(FlowId{flow}, std::span(&record, 1));
}

void add_received(LiveTally& tally, std::uint32_t seq, std::int64_t at_ns, std::int64_t delay_ns,
                  std::uint32_t flow = 1) {
    const ReceivedRecord record = received_packet(seq, at_ns, delay_ns);
    tally.on_received(FlowId{flow}, std::span(&record, 1));
}

TEST(LiveTally, ARowIsShownOnceTheLogHasMuchYoungerRecords) {
    Shown shown;
    LiveTally tally(kSecond, {}, shown.keep());
    tally.on_metadata(empty_log(LogRole::sender).metadata);
    add_sent(tally, 0, 100);
    add_sent(tally, 1, 200);
    add_sent(tally, 2, 1'500'000'000);
    add_sent(tally, 3, 2'900'000'000);
    EXPECT_THAT(shown.rows, IsEmpty());
    add_sent(tally, 4, 3'100'000'000);
    EXPECT_THAT(shown.rows, IsEmpty());
    add_sent(tally, 5, 3'100'000'001);
    ASSERT_THAT(shown.rows, SizeIs(1));
    EXPECT_EQ(shown.rows[0].begin, Nanos{0});
    EXPECT_EQ(shown.rows[0].packets, 2U);
    EXPECT_EQ(shown.rows[0].role, LogRole::sender);
    tally.finish();
    ASSERT_THAT(shown.rows, SizeIs(4));
    EXPECT_EQ(shown.rows[3].begin, 3 * kSecond);
}

TEST(LiveTally, WhatComesForARowThatWasShownIsInNone) {
    Shown shown;
    LiveTally tally(kSecond, {}, shown.keep());
    tally.on_metadata(empty_log(LogRole::sender, 2).metadata);
    add_sent(tally, 0, 100);
    add_sent(tally, 1, 9'000'000'000);
    add_sent(tally, 2, 9'000'000'000);
    add_sent(tally, 0, 200, 2);
    tally.finish();
    ASSERT_THAT(shown.rows, SizeIs(2));
    EXPECT_EQ(shown.rows[0].packets, 1U);
    EXPECT_EQ(shown.rows[1].packets, 2U);
}

/// Packets a millisecond apart for 10 s in blocks of 100; in the 50th block one with a time `ahead` of its own.
std::vector<LiveRow> rows_with_one_record_ahead(std::int64_t ahead_ns) {
    Shown shown;
    LiveTally tally(kSecond, {}, shown.keep());
    tally.on_metadata(empty_log(LogRole::sender).metadata);
    for (std::uint32_t seq = 0; seq < 10'000; seq += 100) {
        std::vector<SentRecord> block;
        for (std::uint32_t i = seq; i < seq + 100; ++i) {
            block.push_back(sent_packet(i, std::int64_t{i} * 1'000'000 + (i == 5042 ? ahead_ns : 0)));
        }
        tally.on_sent(FlowId{1}, block);
        EXPECT_LE(shown.rows.size(), seq / 1000) << "a row that is not over";
    }
    tally.finish();
    return shown.rows;
}

TEST(LiveTally, ARecordFarAheadIsInARowOfItsOwnAndSpoilsNoOther) {
    constexpr std::int64_t kYear = std::int64_t{365} * 86'400 * 1'000'000'000;
    for (const std::int64_t ahead : {3600 * kSecond.count(), 30 * kYear, 70 * kYear}) {
        const std::vector<LiveRow> rows = rows_with_one_record_ahead(ahead);
        ASSERT_EQ(rows.size(), 11U) << ahead;
        for (std::size_t second = 0; second < 10; ++second) {
            EXPECT_EQ(rows[second].begin, static_cast<std::int64_t>(second) * kSecond);
            EXPECT_EQ(rows[second].packets, second == 5 ? 999U : 1000U);
        }
        EXPECT_EQ(rows[10].begin, (Nanos{ahead} + 5 * kSecond) / kSecond * kSecond);
        EXPECT_EQ(rows[10].packets, 1U);
    }
}

TEST(LiveTally, RecordsFarAheadOneAfterTheOtherShowNoMoreRowsThanThereAre) {
    Shown shown;
    LiveTally tally(kSecond, {}, shown.keep());
    tally.on_metadata(empty_log(LogRole::receiver).metadata);
    for (std::uint32_t seq = 0; seq < 1000; ++seq) {
        add_received(tally, seq, seq % 2 == 0 ? std::int64_t{seq} << 50 : std::int64_t{seq} * 1000, 10);
    }
    tally.finish();
    EXPECT_LE(shown.rows.size(), 1000U);
    for (std::size_t i = 1; i < shown.rows.size(); ++i) {
        EXPECT_LT(shown.rows[i - 1].begin, shown.rows[i].begin);
    }
}

TEST(LiveTally, ReceivedPacketsHaveTheirDelayOverTheSmallestAndTheirHoles) {
    Shown shown;
    LiveTally tally(kSecond, {}, shown.keep());
    tally.on_metadata(empty_log(LogRole::receiver).metadata);
    add_received(tally, 0, 100'000, 5'000);
    add_received(tally, 1, 200'000, 5'070);
    add_received(tally, 4, 300'000, 5'100);
    tally.finish();
    ASSERT_THAT(shown.rows, SizeIs(1));
    EXPECT_EQ(shown.rows[0].missing, 2U);
    EXPECT_EQ(shown.rows[0].times_ns.count(), 3U);
    EXPECT_EQ(shown.rows[0].times_ns.min(), 0);
    EXPECT_EQ(shown.rows[0].times_ns.percentile(0.5), 70);
    EXPECT_EQ(shown.rows[0].times_ns.max(), 100);
}

TEST(LiveTally, OtherFlowsAreLeftOut) {
    Shown shown;
    LiveTally tally(kSecond, {FlowId{2}}, shown.keep());
    tally.on_metadata(empty_log(LogRole::sender, 2).metadata);
    add_sent(tally, 0, 100);
    add_sent(tally, 0, 100, 2);
    add_sent(tally, 1, 200, 2);
    tally.finish();
    ASSERT_THAT(shown.rows, SizeIs(1));
    EXPECT_EQ(shown.rows[0].packets, 2U);
}

TEST(LiveTally, WhatTheLogDoesNotAnnounceIsInNoRow) {
    Shown shown;
    LiveTally tally(kSecond, {}, shown.keep());
    tally.on_metadata(empty_log(LogRole::receiver).metadata);
    add_sent(tally, 0, 100);
    add_received(tally, 0, 100, 50, 2);
    tally.finish();
    EXPECT_THAT(shown.rows, IsEmpty());
}

TEST(LiveTally, TimesFarApartDoNotFillTheMemory) {
    Shown shown;
    LiveTally tally(Nanos{1000}, {}, shown.keep());
    tally.on_metadata(empty_log(LogRole::sender).metadata);
    for (std::uint32_t seq = 0; seq < 3 * LiveTally::kMostRows; ++seq) {
        add_sent(tally, seq, std::int64_t{seq} * 1000);
    }
    EXPECT_EQ(shown.rows.size(), 2 * LiveTally::kMostRows);
}

TEST(LiveTally, IsCompleteWithTheTotals) {
    Shown shown;
    LiveTally tally(kSecond, {}, shown.keep());
    EXPECT_FALSE(tally.complete());
    tally.on_totals({});
    EXPECT_TRUE(tally.complete());
}

}  // namespace
}  // namespace groma
