#include "common/stats/histograms/delay_variation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace groma {
namespace {

struct Packet {
    std::uint64_t seq = 0;
    std::int64_t delay = 0;
};

LogHistogram metered(const std::vector<Packet>& arrivals) {
    IpdvMeter meter;
    std::uint64_t next_expected = 0;
    for (const Packet& packet : arrivals) {
        meter.add(packet.seq, Nanos{packet.delay}, packet.seq < next_expected);
        next_expected = std::max(next_expected, packet.seq + 1);
    }
    return meter.variation();
}

/// RFC 3393: all packets by number, then each pair of neighbours.
LogHistogram slow(const std::vector<Packet>& arrivals) {
    std::map<std::uint64_t, std::int64_t> delays;
    for (const Packet& packet : arrivals) {
        delays[packet.seq] = packet.delay;
    }
    LogHistogram variation;
    for (const auto& [seq, delay] : delays) {
        if (const auto before = delays.find(seq - 1); seq > 0 and before != delays.end()) {
            variation.add(delay - before->second);
        }
    }
    return variation;
}

std::vector<Packet> random_arrivals(std::uint32_t seed) {
    std::mt19937_64 engine(seed);
    std::vector<std::pair<std::int64_t, Packet>> due;
    const std::uint64_t loss = 2 + engine() % 50;
    const std::uint64_t reach = 1 + engine() % 200;
    for (std::uint64_t seq = engine() % 2; seq < 2000; ++seq) {
        if (engine() % loss != 0) {
            const auto delay = static_cast<std::int64_t>(1000 + engine() % (engine() % 10 == 0 ? 10 * reach : 10));
            due.push_back({static_cast<std::int64_t>(10 * seq) + delay, {seq, delay}});
        }
    }
    std::ranges::stable_sort(due, {}, &std::pair<std::int64_t, Packet>::first);
    std::vector<Packet> arrivals;
    for (const auto& [when, packet] : due) {
        arrivals.push_back(packet);
    }
    return arrivals;
}

TEST(Ipdv, ComparesEachPacketWithTheOneSentBeforeItInWhateverOrderTheyCame) {
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE(seed);
        const auto arrivals = random_arrivals(seed);
        const LogHistogram fast = metered(arrivals);
        const LogHistogram expected = slow(arrivals);
        ASSERT_EQ(fast.count(), expected.count());
        EXPECT_EQ(fast.bins(), expected.bins());
        EXPECT_EQ(fast.min(), expected.min());
        EXPECT_EQ(fast.max(), expected.max());
    }
}

TEST(Ipdv, IsAboveZeroWhenAPacketTookLongerThanTheOneBefore) {
    const LogHistogram variation = metered({{0, 100}, {1, 130}, {2, 90}});
    EXPECT_EQ(variation.max(), 30);
    EXPECT_EQ(variation.min(), -40);
}

TEST(Ipdv, APacketWithoutItsNeighboursHasNone) {
    EXPECT_EQ(metered({}).count(), 0U);
    EXPECT_EQ(metered({{7, 100}}).count(), 0U);
    EXPECT_EQ(metered({{7, 100}, {9, 100}, {5, 100}}).count(), 0U);
}

TEST(Ipdv, TheVeryFirstPacketIsRememberedForOneBeforeIt) {
    EXPECT_EQ(metered({{1, 100}, {2, 100}, {0, 40}}).max(), 60);
}

TEST(Ipdv, APairWhoseFirstHalfWasPushedOutIsNotMade) {
    std::vector<Packet> arrivals{{1, 5}};
    for (std::uint64_t seq = 3; seq < 3000; seq += 2) {
        arrivals.push_back({seq, 5});
    }
    arrivals.push_back({2, 50});
    EXPECT_EQ(metered(arrivals).count(), 0U);
    arrivals.back() = {2998, 50};
    EXPECT_EQ(metered(arrivals).count(), 2U);
}

}  // namespace
}  // namespace groma
