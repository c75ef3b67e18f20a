#include "sender/report/report_round_trip.hpp"

#include <gmock/gmock.h>

#include "sender/report/report_text.hpp"
#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ReportRoundTrip, IsNotThereWithoutSuchAFlow) {
    EXPECT_EQ(round_trips_text(faithful_run()), "");
    EXPECT_THAT(report_tables(faithful_run()), Not(HasSubstr("There and back")));
}

TEST(ReportRoundTrip, HasTheLossesOfBothWaysAndBothTimes) {
    SendReport report = faithful_run({"plain"});
    report.flows.push_back(round_trip_flow(2, "echo"));
    const std::string text = report_tables(report);
    EXPECT_THAT(text, HasSubstr("There and back"));
    EXPECT_THAT(text, ContainsRegex("echo +10000 +10 +9990 +10 +9980 +0 +0"));
    EXPECT_THAT(text, ContainsRegex("echo +100 +100 +100 +100 +80 +80 +80 +80"));
    EXPECT_THAT(round_trips_text(report), Not(HasSubstr("plain")));
    EXPECT_THAT(round_trips_text(report), Not(HasSubstr("total"))) << "of one flow there is none";
}

TEST(ReportRoundTrip, AddsFlowsUpAndNamesWhatWentWrong) {
    SendReport report = faithful_run({});
    report.flows.push_back(round_trip_flow(1, "a"));
    report.flows.push_back(round_trip_flow(2, "b"));
    report.flows[0].outcome.round_trip->records_lost = 3;
    report.flows[1].received->replies_lost = 4;
    const std::string text = round_trips_text(report);
    EXPECT_THAT(text, ContainsRegex("total +20000 +20 +19980 +20 +19960"));
    EXPECT_THAT(text, HasSubstr("3 replies without a record in the log"));
    EXPECT_THAT(text, HasSubstr("4 packets that the receiver could not send back"));
    EXPECT_THAT(failures(report), testing::Contains(HasSubstr("3 records of replies")));
}

TEST(ReportRoundTrip, SaysWhereCopiesMayHideLosses) {
    SendReport report = faithful_run({});
    report.flows.push_back(round_trip_flow(1, "a"));
    report.flows.push_back(round_trip_flow(2, "b"));
    report.flows[0].outcome.counts.unnumbered = 1;
    const std::string text = round_trips_text(report);
    EXPECT_THAT(text, ContainsRegex("a +10000 +>= 10 +9990 +unknown +9980"));
    EXPECT_THAT(text, ContainsRegex("b +10000 +10 +9990 +10 +9980"));
    EXPECT_THAT(text, ContainsRegex("total +20000 +>= 20 +19980 +unknown +19960"));
}

TEST(ReportRoundTrip, WithoutResultsSaysThatLossesAreUnknown) {
    SendReport report = faithful_run({});
    report.flows.push_back(round_trip_flow(1, "a"));
    report.flows[0].received.reset();
    EXPECT_THAT(round_trips_text(report), ContainsRegex("a +10000 +unknown +unknown +unknown +9980"));
}

}  // namespace
}  // namespace groma
