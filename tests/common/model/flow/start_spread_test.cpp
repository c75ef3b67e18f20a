// Starts that are spread over a span.
#include "common/model/flow/start_spread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace groma {
namespace {

using namespace std::chrono_literals;

std::vector<Nanos> starts_of(std::vector<FlowSpec> flows, Nanos span) {
    spread_starts(flows, span);
    std::vector<Nanos> starts;
    starts.reserve(flows.size());
    for (const FlowSpec& flow : flows) {
        starts.push_back(flow.start_delay);
    }
    return starts;
}

TEST(StartSpread, FlowsStartOneAfterTheOtherAtEqualDistances) {
    EXPECT_EQ(starts_of(std::vector<FlowSpec>(4), 1s), (std::vector<Nanos>{0s, 250ms, 500ms, 750ms}));
}

TEST(StartSpread, AFlowThatStartsLaterAnywayStartsLaterStill) {
    std::vector<FlowSpec> flows(2);
    flows[0].start_delay = 3s;
    flows[1].start_delay = 1s;
    EXPECT_EQ(starts_of(flows, 10ms), (std::vector<Nanos>{3s, 1s + 5ms}));
}

TEST(StartSpread, NothingIsSpreadOverNoTimeOrOverNoFlows) {
    EXPECT_EQ(starts_of(std::vector<FlowSpec>(3), 0s), (std::vector<Nanos>{0s, 0s, 0s}));
    EXPECT_TRUE(starts_of({}, 1s).empty());
}

TEST(StartSpread, DistancesThatAreNoWholeNanosecondsAddUpToTheSpan) {
    const std::vector<Nanos> starts = starts_of(std::vector<FlowSpec>(3), 10ns);
    EXPECT_EQ(starts, (std::vector<Nanos>{0ns, 3ns, 6ns}));
}

TEST(StartSpread, AHundredThousandFlowsOverYearsDoNotOverflow) {
    constexpr Nanos kCentury = std::chrono::hours(876'000);
    const std::vector<Nanos> starts = starts_of(std::vector<FlowSpec>(100'000), kCentury);
    EXPECT_TRUE(std::ranges::is_sorted(starts));
    EXPECT_EQ(starts.back(), kCentury / 100'000 * 99'999);
}

}  // namespace
}  // namespace groma
