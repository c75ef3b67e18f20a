#include "sender/calibration/data_sheet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sender/calibration/sample_calibration.hpp"

namespace groma {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

DataSheet sample() {
    DataSheet sheet;
    sheet.settings = small_settings();
    sheet.sender = {{"host", "alpha"}, {"kernel", "Linux 6.1"}};
    sheet.receiver = {{"host", "beta"}};
    for (const Point& point : sweep_points(sheet.settings)) {
        sheet.results.push_back(measured(point, 1500));
    }
    sheet.limits = {{{series_of(sheet.settings).front(), 0.001}, 1490, 1510},
                    {{series_of(sheet.settings).front(), 0.01}, std::nullopt, 10}};
    sheet.complete = true;
    return sheet;
}

TEST(DataSheet, NamesHostsSettingsAndDate) {
    const std::string text = data_sheet_text(sample());
    EXPECT_THAT(text, HasSubstr("alpha"));
    EXPECT_THAT(text, HasSubstr("Linux 6.1"));
    EXPECT_THAT(text, HasSubstr("beta"));
    EXPECT_THAT(text, HasSubstr("Measured from 2023-11-14 22:13 UTC"));
    EXPECT_THAT(text, ContainsRegex("seed +7\n"));
    EXPECT_THAT(text, Not(HasSubstr("NOT COMPLETE")));
}

TEST(DataSheet, SaysWhatWasAskedForAndNotHad) {
    DataSheet sheet = sample();
    EXPECT_THAT(data_sheet_text(sheet), Not(HasSubstr("not had")));
    sheet.options = {{"--realtime", "on"}};
    for (std::size_t i = 0; i < 3; ++i) {
        sheet.results[i].warnings = "not in real time: no privileges";
    }
    sheet.results[5].failures = "flow 'point': was cut short";
    const std::string text = data_sheet_text(sheet);
    EXPECT_THAT(text, ContainsRegex("--realtime +on"));
    EXPECT_THAT(text, HasSubstr("Asked for, and not had\n  3 of " + std::to_string(sheet.results.size()) +
                                " points: not in real time: no privileges\n"));
    EXPECT_THAT(text, HasSubstr("points: flow 'point': was cut short\n"));
}

TEST(DataSheet, SaysWhenItIsNotComplete) {
    DataSheet sheet = sample();
    sheet.complete = false;
    sheet.results.clear();
    sheet.limits.clear();
    EXPECT_THAT(data_sheet_text(sheet), HasSubstr("NOT COMPLETE"));
}

TEST(DataSheet, HasTheHighestRateForEachTolerance) {
    const std::string text = data_sheet_text(sample());
    EXPECT_THAT(text, ContainsRegex("64 B +const, local +0.1 % +1.49 kpps +762.9 kbit/s +1.51 kpps"));
    EXPECT_THAT(text, ContainsRegex("64 B +const, local +1 % +none +- +10 pps"));
}

TEST(DataSheet, HasEachRateWithMedianAndSpreadOfItsRepetitions) {
    const std::string text = data_sheet_text(sample());
    // Lateness is 100 ns in the first and 200 ns in the second repetition.
    EXPECT_THAT(text, ContainsRegex("1 kpps +1 kpps +0 % +512 kbit/s +150 ns .100 ns to 200 ns."));
    EXPECT_THAT(text, ContainsRegex("2 kpps +1.5 kpps +25 % .*NOT as asked"));
}

TEST(DataSheet, ShowsALatenessThatNoClockTellsAsUnknown) {
    DataSheet sheet = sample();
    for (PointResult& result : sheet.results) {
        result.figures["lateness_p50_ns"] = 1e308;
    }
    EXPECT_THAT(data_sheet_text(sheet), ContainsRegex("bit/s +- +1 us"));
}

TEST(DataSheet, HasTheFitOfDistributionsThatHaveOne) {
    const std::string text = data_sheet_text(sample());
    EXPECT_THAT(text, ContainsRegex("exp, 64 B, logs: local +1 kpps +2000 +32 +0.001 +0.0005 +0.01 +0.4"));
    EXPECT_THAT(text, Not(ContainsRegex("const, 64 B, logs: local +1 kpps +2000")));
}

/// Delays of 10 us with a random error of 3 us, at rates of which two are ten times apart.
DataSheet with_delays() {
    DataSheet sheet = sample();
    sheet.results.clear();
    sheet.settings.rates_pps = {1000, 2000, 10'000};
    for (const Point& point : sweep_points(sheet.settings)) {
        PointFigures& figures = sheet.results.emplace_back(measured(point)).figures;
        figures["delay_p025_ns"] = 8'000;
        figures["delay_p50_ns"] = 10'000;
        figures["delay_p975_ns"] = 13'000;
        figures["delay_p99_ns"] = 20'000;
        figures["delay_max_ns"] = 50'000;
        figures["delay_clock_bound_ns"] = 700;
    }
    return sheet;
}

TEST(DataSheet, StatesTheErrorOfOneWayDelays) {
    DataSheet sheet = with_delays();
    const std::string text = data_sheet_text(sheet);
    EXPECT_THAT(text, ContainsRegex("64 B +1 kpps +10 us +700 ns +3 us +20 us +50 us\n"
                                    " +64 B +10 kpps .*\n +512 B +1 kpps .*\n +512 B +10 kpps "));
    EXPECT_THAT(text, HasSubstr("Connect the hosts back to back"));
    sheet.receiver["shares the sender's kernel"] = "yes";
    EXPECT_THAT(data_sheet_text(sheet), HasSubstr("the median is the systematic error"));
}

TEST(DataSheet, TheRandomErrorIsThatOfEachRepetitionAndTheLargestDelayThatOfAll) {
    DataSheet sheet = with_delays();
    for (PointResult& result : sheet.results) {
        const double moved = result.point.repetition == 1 ? 0 : 100'000;  // of the clocks
        for (const char* const name : {"delay_p025_ns", "delay_p50_ns", "delay_p975_ns", "delay_p99_ns"}) {
            result.figures[name] += moved;
        }
        result.figures["delay_p975_ns"] += moved > 0 ? 2'000 : 0;
        result.figures["delay_max_ns"] += 10 * moved;
    }
    EXPECT_THAT(data_sheet_text(sheet),
                ContainsRegex("64 B +1 kpps +60 us .* 700 ns +4 us .3 us to 5 us. +70 us +1.05 ms\n"));
}

TEST(DataSheet, CallsTheRateOfTheDistributionNominal) {
    const std::string text = data_sheet_text(sample());
    EXPECT_THAT(text, ContainsRegex("\n +nominal +sent +rate error"));
    EXPECT_THAT(text, ContainsRegex("\n +gaps +nominal +n +N"));
    EXPECT_THAT(text, HasSubstr("nominal: the rate of the distribution"));
}

TEST(DataSheet, HasNoErrorOfDelaysThatNoPointHas) {
    EXPECT_THAT(data_sheet_text(sample()), Not(HasSubstr("Error of one-way delays")));
}

TEST(DataSheet, ComparesTheCostOfLogging) {
    const std::string text = data_sheet_text(sample());
    EXPECT_THAT(text, ContainsRegex("local +1.5 kpps +2 kpps +8 +0 +0.3"));
    EXPECT_THAT(text, ContainsRegex("off +1.5 kpps +2 kpps +- +- +0.3"));
}

TEST(DataSheet, ShowsControlCharactersOfPeersInsteadOfObeyingThem) {
    DataSheet sheet = sample();
    sheet.receiver["host"] = "be\x1b[31mta";
    EXPECT_THAT(data_sheet_text(sheet), Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace groma
