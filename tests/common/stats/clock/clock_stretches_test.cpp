#include "common/stats/clock/clock_stretches.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace groma {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr Nanos kProbeDelay = std::chrono::microseconds(100);

/// A probe at a second of the asking clock, as long under way in either direction.
ProbeTimes probe_at(std::int64_t second, Nanos offset) {
    ProbeTimes times;
    times.sent = wall_time_from_ns(second * 1'000'000'000);
    times.received = times.sent + kProbeDelay + offset;
    times.answered = times.received;
    times.returned = times.sent + 2 * kProbeDelay;
    return times;
}

/// One probe a second.
std::vector<ProbeTimes> probes_with(const std::vector<Nanos>& offsets) {
    std::vector<ProbeTimes> probes;
    for (const Nanos offset : offsets) {
        probes.push_back(probe_at(static_cast<std::int64_t>(probes.size()), offset));
    }
    return probes;
}

/// The number of the first probe and the number of probes of each stretch.
std::vector<std::pair<std::ptrdiff_t, std::size_t>> stretches_in(const std::vector<ProbeTimes>& probes) {
    std::vector<std::pair<std::ptrdiff_t, std::size_t>> found;
    for (const Probes stretch : sure_stretches(probes)) {
        found.emplace_back(stretch.data() - probes.data(), stretch.size());
    }
    return found;
}

constexpr Nanos kAhead = std::chrono::seconds(1);
constexpr Nanos kHalfAhead = kAhead / 2;
constexpr Nanos kEven{0};

TEST(ClockStretches, TheProbesOfClocksThatRunEvenlyAreOneStretch) {
    EXPECT_THAT(stretches_in(probes_with({kEven})), ElementsAre(Pair(0, 1U)));
    EXPECT_THAT(stretches_in(probes_with(std::vector<Nanos>(37, kEven))), ElementsAre(Pair(0, 37U)));
    const Nanos drift = std::chrono::microseconds(400);  // each second: less than kMostSkew
    EXPECT_THAT(stretches_in(probes_with({kEven, drift, 2 * drift, 3 * drift})), ElementsAre(Pair(0, 4U)));
}

// The last probe before the step and the first after it may have been under way when the clock stepped.
TEST(ClockStretches, TheProbesNextToAStepAreOfNeitherSide) {
    EXPECT_THAT(stretches_in(probes_with({kEven, kEven, kEven, kEven, kEven, kAhead, kAhead, kAhead, kAhead})),
                ElementsAre(Pair(0, 4U), Pair(6, 3U)));
}

TEST(ClockStretches, AProbeThatFitsNeitherSideIsAStretchOfItsOwn) {
    EXPECT_THAT(stretches_in(probes_with({kEven, kEven, kEven, kEven, kHalfAhead, kAhead, kAhead, kAhead})),
                ElementsAre(Pair(0, 4U), Pair(4, 1U), Pair(5, 3U)));
}

TEST(ClockStretches, WhereStretchesAreTooShortWhatFitsIsKept) {
    EXPECT_THAT(stretches_in(probes_with({kEven, kAhead})), ElementsAre(Pair(0, 1U), Pair(1, 1U)));
}

TEST(ClockStretches, AnAskingClockThatIsSetBackEndsAStretchWhateverTheOffsets) {
    std::vector<ProbeTimes> probes = probes_with(std::vector<Nanos>(8, kEven));
    for (std::size_t i = 4; i < probes.size(); ++i) {
        probes[i] = probe_at(static_cast<std::int64_t>(i) - 4, kEven);
    }
    EXPECT_THAT(stretches_in(probes), ElementsAre(Pair(0, 3U), Pair(5, 3U)));
}

}  // namespace
}  // namespace groma
