#include "sender/run/live_run.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

std::vector<FlowProgress> two_flows(std::uint64_t packets) {
    return {{.flow = FlowId{1}, .packets = packets, .bytes = 10 * packets, .finished = true, .returned = 1},
            {.flow = FlowId{2}, .packets = 5, .bytes = 500}};
}

TEST(LiveRun, IsTheSumOfItsFlowsWhileTheyAreFollowed) {
    LiveRun run;
    EXPECT_EQ(run.so_far(), SentSoFar{});
    std::uint64_t packets = 1;
    const LiveRun::Following following(&run, [&packets] { return two_flows(packets); });
    EXPECT_EQ(run.so_far(), (SentSoFar{.open_flows = 1, .packets = 6, .bytes = 510, .returned = 1}));
    packets = 7;
    EXPECT_EQ(run.so_far().packets, 12U);
}

TEST(LiveRun, KeepsWhatWasSentLast) {
    LiveRun run;
    std::uint64_t packets = 1;
    {
        const LiveRun::Following following(&run, [&packets] { return two_flows(packets); });
        packets = 3;
    }
    packets = 100;
    EXPECT_EQ(run.so_far(), (SentSoFar{.open_flows = 0, .packets = 8, .bytes = 530, .returned = 1}));
}

TEST(LiveRun, NeedsNotBeThere) {
    const LiveRun::Following following(nullptr, [] { return two_flows(1); });
}

}  // namespace
}  // namespace groma
