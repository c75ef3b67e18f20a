// The engine has its threads and the kernel's clock; the watch's clock is virtual, so that its seconds take no time.
#include "sender/run/run_watch.hpp"

#include <gmock/gmock.h>

#include <memory>
#include <utility>

#include "tests/kernel_clock.hpp"
#include "tests/sender/fake_channel.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;

class RunWatchTest : public testing::Test {
protected:
    RunWatchTest() {
        far_ = steady_flow(1, 10);
        far_.start_delay = 1h;
        facts_.metadata.flows = {{far_, "10.0.0.1:40000", "10.0.0.2:9001"}};
    }

    [[nodiscard]] RunWatch made() { return {{around_, give_up_, links_, facts_, events_}, {far_}, {}}; }

    /// Watches an engine whose only packet is an hour away, until the watch stops it.
    void watch_until_stopped() {
        std::vector<FlowToSend> flows;
        flows.push_back({far_, std::make_unique<FakeChannel>(wire_, engine_clock_), &any_payload()});
        SendEngine engine(std::move(flows), {.queue_records = 16}, kernel_clock());
        engine.start(kernel_clock().now(), nullptr);
        RunWatch watch = made();
        watch.begin();
        watch.watch(engine, nullptr, clock_.now());
        EXPECT_TRUE(engine.finished());
        EXPECT_EQ(engine.wait().at(0).counts.end, FlowEnd::interrupted);
    }

    ManualClock clock_;
    ManualClock engine_clock_;  ///< of the channel, which sends no packets
    FakeWire wire_;
    FlowSpec far_;
    bool stopped_ = false;
    GiveUp give_up_ = [this] { return stopped_; };
    RunSurroundings around_{.clock = clock_, .stop_requests = [] { return 0U; }, .show_progress = {}};
    ReceiverLinks links_{{}, kernel_clock(), {}};
    RunFacts facts_;
    std::vector<LogEvent> events_;
};

TEST_F(RunWatchTest, EndsTheFlowsWhenTheUserStopsTheRun) {
    stopped_ = true;
    watch_until_stopped();
    EXPECT_TRUE(facts_.interrupted);
}

TEST_F(RunWatchTest, TellsWhoSharesTheRunOnceASecondWhatWasSentSoFar) {
    std::vector<Nanos> told;
    around_.shared.emplace();
    around_.shared->so_far = [&](const SendReport& report) {
        told.push_back(report.elapsed);
        EXPECT_THAT(report.flows, SizeIs(1));
        stopped_ = told.size() == 3;
    };
    watch_until_stopped();
    ASSERT_GE(told.size(), 3U);
    EXPECT_EQ(told[1] - told[0], 1s);
    EXPECT_EQ(told[2] - told[1], 1s);
}

TEST_F(RunWatchTest, ShowsALineOfProgressEachSecond) {
    std::vector<MonoTime> shown;
    around_.show_progress = [&](const std::string& /*line*/) {
        shown.push_back(clock_.now());
        stopped_ = shown.size() == 2;
    };
    const MonoTime start = clock_.now();
    watch_until_stopped();
    ASSERT_GE(shown.size(), 2U);
    EXPECT_EQ(shown[0], start + 1s);
    EXPECT_EQ(shown[1], start + 2s);
}

TEST_F(RunWatchTest, GivesOutARowAtEachIntervalInPlaceOfTheLineOfProgress) {
    std::vector<Nanos> lengths;
    around_.show_progress = [](const std::string& line) { FAIL() << line; };
    around_.rows.emplace();
    around_.rows->interval = 3s;
    around_.rows->take = [&](const IntervalRow& row) {
        lengths.push_back(row.all.length);
        stopped_ = stopped_ or lengths.size() == 2;
    };
    watch_until_stopped();
    ASSERT_GE(lengths.size(), 2U);
    EXPECT_EQ(lengths[0], 3s);
    EXPECT_EQ(lengths[1], 3s);
}

TEST_F(RunWatchTest, NotesAStepOfThisHostsClockOnce) {
    RunWatch watch = made();
    watch.detect_step();
    EXPECT_THAT(events_, SizeIs(0));
    clock_.step_wall(-50ms);
    watch.detect_step();
    watch.detect_step();
    EXPECT_THAT(facts_.own_steps, ElementsAre(OwnStep{.at = clock_.wall_now(), .size = -50ms}));
    EXPECT_THAT(events_, SizeIs(1));
}

}  // namespace
}  // namespace groma
