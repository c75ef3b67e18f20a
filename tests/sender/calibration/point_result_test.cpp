#include "sender/calibration/point_result.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

TEST(PointFigures, AreThoseOfTheReport) {
    SendReport report = faithful_run();
    report.flows.front().received->packets = 9'000;
    report.flows.front().received->kernel_drops = 700;
    set_rates(report.flows.front().outcome.fidelity, 1000, 990);
    report.flows.front().outcome.fidelity.fit = DistributionFit{.gaps = 9'999, .lambda2 = 0.002, .ks = 0.01, .a2 = 0.5};
    report.usage = CpuUsage{.user = std::chrono::milliseconds(300),
                            .system = std::chrono::milliseconds(200),
                            .voluntary_switches = 40,
                            .involuntary_switches = 2};
    report.receivers.front().usage = CpuUsage{.user = std::chrono::seconds(1), .system = std::chrono::seconds(2)};
    const PointFigures figures = figures_of(report);
    EXPECT_EQ(figures.at("cpu_user_s"), 0.3);
    EXPECT_EQ(figures.at("cpu_system_s"), 0.2);
    EXPECT_EQ(figures.at("involuntary_switches"), 2);
    EXPECT_EQ(figures.at("receiver_cpu_system_s"), 2);
    EXPECT_EQ(figures.at("elapsed_s"), 10);
    EXPECT_EQ(figures.at("scheduled_pps"), 1000);
    EXPECT_EQ(figures.at("scheduled_bps"), 4'096'000);
    EXPECT_NEAR(figures.at("sent_pps"), 990, 1e-6);
    EXPECT_NEAR(figures.at("sent_bps"), 4'055'040, 1e-2);
    EXPECT_EQ(figures.at("sent_packets"), 10'000);
    EXPECT_EQ(figures.at("lost"), 1'000);
    EXPECT_EQ(figures.at("kernel_drops"), 700);
    EXPECT_NEAR(figures.at("lateness_p99_ns"), 2000, 2000.0 / 128);
    EXPECT_EQ(figures.at("fit_gaps"), 9'999);
    EXPECT_EQ(figures.at("lambda2"), 0.002);
    EXPECT_EQ(figures.at("log_records"), 10'000);
    EXPECT_EQ(figures.at("log_bytes"), 84'000);
}

TEST(PointFigures, LeaveOutWhatIsNotKnown) {
    SendReport report = faithful_run();
    report.log.reset();
    report.flows.front().received.reset();
    report.flows.front().outcome.fidelity = Fidelity{};
    const PointFigures figures = figures_of(report);
    EXPECT_FALSE(figures.contains("cpu_user_s"));
    EXPECT_FALSE(figures.contains("lost"));
    EXPECT_FALSE(figures.contains("scheduled_pps"));
    EXPECT_FALSE(figures.contains("lateness_p50_ns"));
    EXPECT_FALSE(figures.contains("lambda2"));
    EXPECT_FALSE(figures.contains("log_bytes"));
    EXPECT_EQ(figures.at("sent_packets"), 0);
}

TEST(PointFigures, AreNumbersOfDifferentNames) {
    std::set<std::string> names;
    for (const FigureHead& head : point_figures()) {
        EXPECT_TRUE(names.insert(head.name).second) << head.name;
        EXPECT_NE(head.type, FigureType::text) << head.name;
    }
}

TEST(RateKept, NeedsAFlowThatWasSentToItsEnd) {
    PointFigures figures = figures_of(faithful_run());
    EXPECT_TRUE(rate_kept(figures, 0.001));
    figures["rate_error"] = 0.002;
    EXPECT_FALSE(rate_kept(figures, 0.001));
    EXPECT_TRUE(rate_kept(figures, 0.01));
    figures["cut_short"] = 1;
    EXPECT_FALSE(rate_kept(figures, 0.01));
    EXPECT_FALSE(rate_kept(PointFigures{}, 1));
}

TEST(RateKept, NotByAFlowThatLeftSomethingOut) {
    for (std::uint64_t SendCounts::*count :
         {&SendCounts::missed_slots, &SendCounts::dropped, &SendCounts::too_big, &SendCounts::given_up}) {
        SendReport report = faithful_run();
        report.flows.front().outcome.counts.*count = 1;
        EXPECT_FALSE(rate_kept(figures_of(report), 0.01));
    }
}

TEST(SentOverAsked, IsNothingWhereNothingCouldBeSent) {
    SendReport report = faithful_run();
    report.flows.front().outcome.fidelity = Fidelity{};
    EXPECT_EQ(sent_over_asked(figures_of(report)), 1);  // nothing was due
    report.flows.front().outcome.counts.dropped = 1000;
    EXPECT_EQ(sent_over_asked(figures_of(report)), 0);
}

}  // namespace
}  // namespace groma
