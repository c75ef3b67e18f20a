#include "decoder/analysis/arrivals.hpp"

#include <gtest/gtest.h>

#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

constexpr WallTime kRunStart = wall_time_from_ns(kStartNs);

ReceivedFigures told(const Arrivals& arrivals) {
    ReceivedFigures figures;
    arrivals.tell(kRunStart, figures);
    return figures;
}

TEST(Arrivals, HaveRatesFromTheFirstToTheLastInTime) {
    Arrivals arrivals;
    arrivals.add(received_packet(0, 0, 2'000'000'000, 1000));
    arrivals.add(received_packet(1, 0, 1'000'000'000, 200));
    arrivals.add(received_packet(2, 0, 1'500'000'000, 50));
    const ReceivedFigures figures = told(arrivals);
    EXPECT_EQ(figures.packets, 3U);
    EXPECT_EQ(figures.bytes, 1250U);
    EXPECT_EQ(figures.arrivals, (TimeSpan{kSecond, 2 * kSecond}));
    EXPECT_EQ(figures.duration(), kSecond);
    EXPECT_DOUBLE_EQ(figures.packet_rate_pps().value(), 2);  // gaps
    EXPECT_DOUBLE_EQ(figures.throughput_bps().value(), 2 * 8 * 1250 / 3.0);
    EXPECT_EQ(arrivals.gaps().count(), 2U);
    EXPECT_EQ(arrivals.gaps().min(), -1'000'000'000);
}

TEST(Arrivals, OfOnePacketHaveNoRateAndOfNoneNoTime) {
    Arrivals arrivals;
    EXPECT_TRUE(told(arrivals).arrivals.empty());
    arrivals.add(received_packet(0, 0, 7));
    EXPECT_EQ(told(arrivals).arrivals, (TimeSpan{Nanos{7}, Nanos{7}}));
    EXPECT_EQ(told(arrivals).duration(), std::nullopt);
    EXPECT_EQ(told(arrivals).throughput_bps(), std::nullopt);
    EXPECT_EQ(arrivals.gaps().count(), 0U);
}

TEST(Arrivals, TogetherAreWhatTheyAreOneByOne) {
    const std::vector<std::int64_t> times = {kStartNs + 900, kStartNs + 300, kStartNs + 1000, kStartNs + 1200};
    const std::vector<std::uint64_t> sizes = {64, 64, 500, 64};
    const std::vector<std::uint64_t> numbers = {1, 2, 3, 4};
    const ReceivedColumns columns{numbers, times, times, sizes, {}, {}};
    Arrivals together;
    Arrivals one_by_one;
    for (Arrivals* arrivals : {&together, &one_by_one}) {
        arrivals->add(received_packet(0, 0, 500));
    }
    together.add(columns, extent_of(times));
    for (std::size_t i = 0; i < columns.count(); ++i) {
        one_by_one.add(columns[i]);
    }
    for (Arrivals* arrivals : {&together, &one_by_one}) {
        arrivals->add(received_packet(5, 0, 1100));
    }
    EXPECT_EQ(together.packets(), one_by_one.packets());
    EXPECT_EQ(together.bytes(), one_by_one.bytes());
    EXPECT_EQ(together.gaps().bins(), one_by_one.gaps().bins());
    EXPECT_EQ(told(together).sizes.bins(), told(one_by_one).sizes.bins());
    EXPECT_EQ(told(together).arrivals, told(one_by_one).arrivals);
}

}  // namespace
}  // namespace groma
