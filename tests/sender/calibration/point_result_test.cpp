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
    report.flows.front().outcome.fidelity.sent_pps = 990;
    report.flows.front().outcome.fidelity.sent_bps = 4'055'040;
    report.flows.front().outcome.fidelity.fit = DistributionFit{.gaps = 9'999, .lambda2 = 0.002, .ks = 0.01, .a2 = 0.5};
    report.usage = CpuUsage{.user = std::chrono::milliseconds(300),
                            .system = std::chrono::milliseconds(200),
                            .voluntary_switches = 40,
                            .involuntary_switches = 2};
    report.receivers.front().usage = CpuUsage{.user = std::chrono::seconds(1), .system = std::chrono::seconds(2)};
    const PointFigures figures = figures_of(report);
    EXPECT_EQ(figures.cpu_user_s, 0.3);
    EXPECT_EQ(figures.cpu_system_s, 0.2);
    EXPECT_EQ(figures.switches_involuntary, 2);
    EXPECT_EQ(figures.receiver_system_s, 2);
    EXPECT_EQ(figures.elapsed_s, 10);
    EXPECT_EQ(figures.asked_pps, 1000);
    EXPECT_EQ(figures.asked_bps, 4'096'000);
    EXPECT_EQ(figures.sent_pps, 990);
    EXPECT_EQ(figures.sent_bps, 4'055'040);
    EXPECT_EQ(figures.packets, 10'000);
    EXPECT_EQ(figures.lost, 1'000);
    EXPECT_EQ(figures.kernel_drops, 700);
    EXPECT_NEAR(figures.lateness_p99_ns.value(), 2000, 2000.0 / 128);
    EXPECT_EQ(figures.fit_gaps, 9'999);
    EXPECT_EQ(figures.lambda2, 0.002);
    EXPECT_EQ(figures.records, 10'000);
    EXPECT_EQ(figures.log_bytes, 84'000);
}

TEST(PointFigures, LeaveOutWhatIsNotKnown) {
    SendReport report = faithful_run();
    report.log.reset();
    report.flows.front().received.reset();
    report.flows.front().outcome.fidelity = Fidelity{};
    const PointFigures figures = figures_of(report);
    EXPECT_FALSE(figures.cpu_user_s);
    EXPECT_FALSE(figures.lost);
    EXPECT_FALSE(figures.asked_pps);
    EXPECT_FALSE(figures.lateness_p50_ns);
    EXPECT_FALSE(figures.lambda2);
    EXPECT_FALSE(figures.log_bytes);
    EXPECT_EQ(figures.packets, 0);
}

TEST(PointFigures, HaveAColumnEach) {
    std::set<std::string> names;
    PointFigures figures;
    double value = 1;
    for (const FigureColumn& column : figure_columns()) {
        names.insert(column.name);
        EXPECT_FALSE(figures.*column.figure) << column.name << " shares its place";
        figures.*column.figure = value++;
    }
    EXPECT_EQ(names.size(), figure_columns().size());
    EXPECT_EQ(figure_columns().size() * sizeof(Figure), sizeof(PointFigures));
}

TEST(RateKept, NeedsAFlowThatWasSentToItsEnd) {
    PointFigures figures = figures_of(faithful_run());
    EXPECT_TRUE(rate_kept(figures, 0.001));
    figures.rate_error = 0.002;
    EXPECT_FALSE(rate_kept(figures, 0.001));
    EXPECT_TRUE(rate_kept(figures, 0.01));
    figures.cut_short = 1;
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
