#include "sender/calibration/sent_gaps.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "common/model/distributions/sampler.hpp"

namespace groma {
namespace {

double asked_in_all(const SentGaps& gaps) {
    return std::accumulate(gaps.bins().begin(), gaps.bins().end(), 0.0,
                           [](double sum, const GapBin& bin) { return sum + bin.asked_share; });
}

std::uint64_t counted_in_all(const SentGaps& gaps) {
    return std::accumulate(gaps.bins().begin(), gaps.bins().end(), std::uint64_t{0},
                           [](std::uint64_t sum, const GapBin& bin) { return sum + bin.count; });
}

SentRecord sent(std::uint64_t seq, std::int64_t at_ns) {
    SentRecord record;
    record.seq = seq;
    record.sent_at = wall_time_from_ns(at_ns);
    return record;
}

TEST(SentGaps, HaveBinsWithoutHolesThatTheModelFills) {
    for (const GapFamily family : {GapFamily::constant, GapFamily::exponential, GapFamily::uniform, GapFamily::normal,
                                   GapFamily::pareto, GapFamily::gamma, GapFamily::weibull}) {
        const SentGaps gaps(gaps_of(family, 1000));
        ASSERT_GT(gaps.bins().size(), 100U);
        EXPECT_EQ(gaps.bins().front().low_ns, 0) << to_string(family);
        for (std::size_t i = 1; i < gaps.bins().size(); ++i) {
            EXPECT_NEAR(gaps.bins()[i].low_ns, gaps.bins()[i - 1].high_ns.value(), 1e-3) << to_string(family);
        }
        EXPECT_FALSE(gaps.bins().back().high_ns) << to_string(family);
        EXPECT_NEAR(asked_in_all(gaps), 1, 1e-9) << to_string(family);
    }
}

TEST(SentGaps, CountWhatWasSentWhereItBelongs) {
    const Distribution asked = gaps_of(GapFamily::gamma, 1000);
    SentGaps gaps(asked);
    Sampler sampler(asked, 5);
    std::int64_t at_ns = 1'000'000;
    constexpr std::uint64_t kPackets = 100'000;
    for (std::uint64_t seq = 0; seq < kPackets; ++seq) {
        const SentRecord record = sent(seq, at_ns);
        gaps.on_sent(FlowId{1}, {&record, 1});
        at_ns += static_cast<std::int64_t>(sampler.draw());
    }
    EXPECT_EQ(counted_in_all(gaps), kPackets - 1);
    for (const GapBin& bin : gaps.bins()) {
        // Five standard deviations of a share, and the grain of whole nanoseconds.
        const double deviation = std::sqrt(bin.asked_share / static_cast<double>(kPackets)) + 1e-5;
        EXPECT_NEAR(static_cast<double>(bin.count) / static_cast<double>(kPackets), bin.asked_share, 5 * deviation);
    }
}

TEST(SentGaps, OfPacketsThatAreNotNeighboursAreNone) {
    SentGaps gaps(gaps_of(GapFamily::constant, 1000));
    const std::vector<SentRecord> records{sent(1, 0), sent(3, 2'000'000), sent(4, 3'000'100)};
    gaps.on_sent(FlowId{1}, records);
    EXPECT_EQ(counted_in_all(gaps), 1U);
}

TEST(SentGaps, OfAConstantAreInTheMiddleOfABin) {
    for (const double rate : {1000.0, 1'000'000.0}) {
        const SentGaps gaps(gaps_of(GapFamily::constant, rate));
        const auto asked = std::ranges::find_if(gaps.bins(), [](const GapBin& bin) { return bin.asked_share > 0; });
        ASSERT_NE(asked, gaps.bins().end());
        EXPECT_EQ(asked->asked_share, 1);
        EXPECT_NEAR((asked->low_ns + asked->high_ns.value()) / 2, 1e9 / rate, 1e-3);
    }
}

TEST(SentGaps, FarOutsideGoToTheEnds) {
    SentGaps gaps(gaps_of(GapFamily::constant, 1000));
    const std::vector<SentRecord> records{sent(1, 0), sent(2, 0), sent(3, 1'000'000'000)};
    gaps.on_sent(FlowId{1}, records);
    EXPECT_EQ(gaps.bins().front().count, 1U);
    EXPECT_EQ(gaps.bins().back().count, 1U);
}

}  // namespace
}  // namespace groma
