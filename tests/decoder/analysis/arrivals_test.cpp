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
    EXPECT_EQ(figures.first_arrival, kSecond);
    EXPECT_EQ(figures.last_arrival, 2 * kSecond);
    EXPECT_EQ(figures.duration, kSecond);
    EXPECT_DOUBLE_EQ(figures.throughput_bps.value(), 10'000);
    EXPECT_DOUBLE_EQ(figures.packet_rate_pps.value(), 3);
    EXPECT_EQ(arrivals.gaps().count(), 2U);
    EXPECT_EQ(arrivals.gaps().min(), -1'000'000'000);
}

TEST(Arrivals, OfOnePacketHaveNoRateAndOfNoneNoTime) {
    Arrivals arrivals;
    EXPECT_EQ(told(arrivals).first_arrival, std::nullopt);
    arrivals.add(received_packet(0, 0, 7));
    EXPECT_EQ(told(arrivals).first_arrival, Nanos{7});
    EXPECT_EQ(told(arrivals).duration, std::nullopt);
    EXPECT_EQ(told(arrivals).throughput_bps, std::nullopt);
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
    EXPECT_EQ(told(together).first_arrival, told(one_by_one).first_arrival);
    EXPECT_EQ(told(together).last_arrival, told(one_by_one).last_arrival);
}

}  // namespace
}  // namespace groma
