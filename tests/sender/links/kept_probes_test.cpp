#include "sender/links/kept_probes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace groma {
namespace {

/// A probe with a round trip of `delay`.
ProbeTimes probe(std::int64_t at, std::int64_t delay) {
    return {wall_time_from_ns(at), wall_time_from_ns(at + delay / 2), wall_time_from_ns(at + delay / 2),
            wall_time_from_ns(at + delay)};
}

TEST(KeptProbes, KeepsAllOfAShortRun) {
    KeptProbes kept(8);
    for (std::int64_t i = 0; i < 7; ++i) {
        kept.add(probe(i * 1000, 100));
    }
    EXPECT_EQ(kept.take().size(), 7U);
    EXPECT_EQ(kept.take()[6], probe(6000, 100));
}

TEST(KeptProbes, OfAnyNumberFewStayAndTheFastestAmongThem) {
    KeptProbes kept(8);
    for (std::int64_t i = 0; i < 100'000; ++i) {
        kept.add(probe(i * 1000, i == 54'321 ? 10 : 100 + i % 7));
    }
    const std::vector<ProbeTimes> all = kept.take();
    EXPECT_LE(all.size(), 8U);
    EXPECT_GE(all.size(), 4U);
    EXPECT_EQ(std::count(all.begin(), all.end(), probe(54'321'000, 10)), 1);
    EXPECT_TRUE(std::is_sorted(all.begin(), all.end(),
                               [](const ProbeTimes& a, const ProbeTimes& b) { return a.sent < b.sent; }));
}

TEST(KeptProbes, TheyCoverTheWholeRun) {
    KeptProbes kept(16);
    for (std::int64_t i = 0; i < 10'000; ++i) {
        kept.add(probe(i, 100));
    }
    EXPECT_LT(ns_since_epoch(kept.take().front().sent), 2000);
    EXPECT_GT(ns_since_epoch(kept.take().back().sent), 8000);
}

}  // namespace
}  // namespace groma
