#include "sender/calibration/point_text.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace groma {
namespace {

const Series kSampledSeries{GapFamily::exponential, 64, LoggingWay::local};

/// Repetitions of a point, each with one figure.
PointSummary with_figure(const std::string& name, const std::vector<double>& values) {
    PointSummary point{.series = kSampledSeries, .rate_pps = 1000, .repetitions = {}};
    for (const double value : values) {
        point.repetitions.emplace_back().figures[name] = value;
    }
    return point;
}

PointSummary with_figures(const PointFigures& figures) {
    PointSummary point{.series = kSampledSeries, .rate_pps = 1000, .repetitions = {}};
    point.repetitions.emplace_back().figures = figures;
    return point;
}

PointSummary with_verdicts(const std::vector<std::string>& verdicts) {
    PointSummary point{.series = kSampledSeries, .rate_pps = 1000, .repetitions = {}};
    for (const std::string& verdict : verdicts) {
        point.repetitions.emplace_back().verdict = verdict;
    }
    return point;
}

TEST(PointText, ShowsARangeWhereRepetitionsDifferInText) {
    EXPECT_EQ(spread_text(with_figure("lost", {3}).figure("lost"), number_text), "3");
    EXPECT_EQ(spread_text(with_figure("lost", {1, 2, 4}).figure("lost"), number_text), "2 (1 to 4)");
    EXPECT_EQ(spread_text(with_figure("lost", {1.00001, 1, 1.00002}).figure("lost"), number_text), "1");
    EXPECT_EQ(median_text(with_figure("lost", {1, 2, 4}).figure("lost"), number_text), "2");
    EXPECT_EQ(spread_text({}, number_text), "-");
    EXPECT_EQ(median_text({}, number_text), "-");
}

TEST(PointText, ARatioNeedsBothFiguresAndSomethingToDivideBy) {
    EXPECT_EQ(share_text(figure_ratio(with_figures({{"lost", 1}, {"sent_packets", 200}}), "lost", "sent_packets")),
              "0.5 %");
    EXPECT_EQ(share_text(figure_ratio(with_figures({{"lost", 1}, {"sent_packets", 0}}), "lost", "sent_packets")), "-");
    EXPECT_EQ(share_text(figure_ratio(with_figures({{"lost", 1}}), "lost", "sent_packets")), "-");
    EXPECT_EQ(share_text(figure_ratio(with_figures({{"sent_packets", 200}}), "lost", "sent_packets")), "-");
    EXPECT_EQ(log_bytes_text(with_figures({{"log_bytes", 500}, {"log_records", 100}})), "5");
    EXPECT_EQ(log_bytes_text(with_figures({{"log_bytes", 500}, {"log_records", 0}})), "-");
}

TEST(PointText, CpuIsThatOfUserAndSystemForEachSecond) {
    EXPECT_EQ(cpu_text(with_figures({{"cpu_user_s", 1.5}, {"cpu_system_s", 0.5}, {"elapsed_s", 4}})), "0.5");
    EXPECT_EQ(cpu_text(with_figures({{"cpu_user_s", 1.5}, {"cpu_system_s", 0.5}, {"elapsed_s", 0}})), "-");
    EXPECT_EQ(cpu_text(with_figures({{"cpu_user_s", 1.5}, {"elapsed_s", 4}})), "-");
}

TEST(PointText, TheVerdictIsThatOfTheWorstRepetition) {
    EXPECT_EQ(verdict_text(with_verdicts({"as_asked", "as_asked"})), "as asked");
    EXPECT_EQ(verdict_text(with_verdicts({"as_asked", "within"})), "nearly");
    EXPECT_EQ(verdict_text(with_verdicts({"within", "not_as_asked", "as_asked"})), "NOT as asked");
}

TEST(PointText, ASeriesIsItsGapsItsSizeAndItsLogs) {
    EXPECT_EQ(series_text(kSampledSeries), "exp, 64 B, logs: local");
}

}  // namespace
}  // namespace groma
