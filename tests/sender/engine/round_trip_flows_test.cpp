#include "sender/engine/round_trip_flows.hpp"

#include <gmock/gmock.h>

#include <string>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/flow_sockets.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"
#include "tests/sender/fake_channel.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Flows over sockets of loopback, which send no packets.
class RoundTripFlowsTest : public testing::Test {
protected:
    void add(FlowSpec spec) {
        const SocketAddress to = SocketAddress::from_literal("127.0.0.1", 9);
        flows_.push_back({std::move(spec), open_channel({Transport::udp, {}, to, kPatience}, kernel_clock()), nullptr});
    }
    void add_round_trip(FlowSpec spec) {
        spec.meter = Meter::round_trip;
        add(std::move(spec));
    }
    [[nodiscard]] RoundTripFlows opened(bool logged = false) const { return {flows_, kRoom, logged, kernel_clock()}; }

    /// Whether the time of a packet is still known when `others` packets have left after it.
    static bool keeps(SendTimes* times, std::uint32_t others) {
        times->put(0, wall_time_from_ns(1));
        for (std::uint32_t seq = 1; seq <= others; ++seq) {
            times->put(seq, wall_time_from_ns(1));
        }
        return times->find(0).has_value();
    }

    static constexpr std::size_t kRoom = 16;
    std::vector<FlowToSend> flows_;
};

TEST_F(RoundTripFlowsTest, FlowsWithoutTheMeterHaveNoneOfIt) {
    add(steady_flow(1, 10));
    add_round_trip(steady_flow(2, 10));
    RoundTripFlows some = opened(true);
    EXPECT_TRUE(some.any());
    EXPECT_EQ(some.replies(0), nullptr);
    EXPECT_EQ(some.sent(0), nullptr);
    ASSERT_NE(some.replies(1), nullptr);
    EXPECT_NE(some.sent(1), nullptr);
    EXPECT_NE(some.queue(1), nullptr);
    EXPECT_EQ(some.queue(0), nullptr);
    EXPECT_EQ(some.replies(1)->returned(), 0U);
}

TEST_F(RoundTripFlowsTest, WithoutAnyThereIsNoWorkerAndNoQueue) {
    add(steady_flow(1, 10));
    RoundTripFlows none = opened(true);
    EXPECT_FALSE(none.any());
    EXPECT_TRUE(none.queues().empty());
    EXPECT_EQ(none.replies(0), nullptr);
}

TEST_F(RoundTripFlowsTest, RecordsAreKeptForALogOnly) {
    add_round_trip(steady_flow(1, 10));
    EXPECT_TRUE(opened(false).queues().empty());
}

TEST_F(RoundTripFlowsTest, TimesAreKeptOfFlowsWhosePacketsMayHaveANumberAndNoTime) {
    FlowSpec large = steady_flow(1, 10);
    FlowSpec small = steady_flow(2, 10);
    small.size = Uniform{4, 100};
    FlowSpec numbered = steady_flow(3, 10);
    numbered.header = HeaderLevel::sequence;
    FlowSpec bare = steady_flow(4, 10);
    bare.header = HeaderLevel::none;
    for (const FlowSpec& spec : {large, small, numbered, bare}) {
        add_round_trip(spec);
    }
    const RoundTripFlows all = opened();
    EXPECT_EQ(all.times(0), nullptr);
    EXPECT_NE(all.times(1), nullptr);
    EXPECT_NE(all.times(2), nullptr);
    EXPECT_EQ(all.times(3), nullptr);
}

TEST_F(RoundTripFlowsTest, TimesAreKeptForFourSecondsAtTheFlowsRateWithinBounds) {
    for (const Nanos gap : {Nanos{1s}, Nanos{1ms}, Nanos{1us}}) {
        FlowSpec spec = steady_flow(1, 10, gap);
        spec.header = HeaderLevel::sequence;
        add_round_trip(spec);
    }
    const RoundTripFlows all = opened();
    const std::size_t kept[] = {1024, 4096, 65536};
    for (std::uint32_t place = 0; place < 3; ++place) {
        const auto size = static_cast<std::uint32_t>(kept[place]);
        EXPECT_TRUE(keeps(all.times(place), size - 1)) << place;
        EXPECT_FALSE(keeps(all.times(place), size)) << place;
    }
}

TEST_F(RoundTripFlowsTest, ATransportWithoutRepliesIsRefused) {
    FakeWire wire;
    ManualClock clock;
    FlowSpec spec = steady_flow(7, 10);
    spec.meter = Meter::round_trip;
    flows_.push_back({spec, std::make_unique<FakeChannel>(wire, clock), nullptr});
    try {
        (void)opened();
        FAIL() << "it has replies";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr("flow 7: there is no round-trip meter over UDP"));
    }
}

}  // namespace
}  // namespace groma
