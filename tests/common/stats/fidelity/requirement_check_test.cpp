#include "common/stats/fidelity/requirement_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <memory>

#include "tests/sample_flow.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

Fidelity with_lateness(std::int64_t ns) {
    Fidelity fidelity;
    fidelity.packets = 100;
    fidelity.alone = 90;
    fidelity.batched = 10;
    set_rates(fidelity, 1000, 999);
    fidelity.lateness_ns.add(ns, 100);
    fidelity.gap_error_ns.add(ns / 100, 99);
    fidelity.gap_variation = 0;
    fidelity.behind = Nanos{5000};
    return fidelity;
}

CheckedRequirement checked(std::string_view text, const std::vector<FlowToCheck>& flows) {
    return check_requirements(parse_requirements(text), flows).at(0);
}

TEST(RequirementCheck, TheWorstFlowDecides) {
    const Fidelity good = with_lateness(100);
    const Fidelity bad = with_lateness(120);
    const std::vector<FlowToCheck> flows{{.name = "a", .fidelity = &good}, {.name = "b", .fidelity = &bad}};
    EXPECT_TRUE(checked("lateness-p99=120ns", flows).met);
    const CheckedRequirement broken = checked("lateness-p99=110ns", flows);
    EXPECT_FALSE(broken.met);
    EXPECT_EQ(broken.worst, 120);
    EXPECT_EQ(broken.flow, "b");
    EXPECT_EQ(broken.flows_beyond, 1U);
    EXPECT_EQ(broken.sentence(), "the p99 of lateness of flow 'b' is 0.12 us, at most 0.11 us is required");
    EXPECT_THAT(checked("lateness-p99=1ns", flows).sentence(), HasSubstr("(2 flows are beyond it)"));
}

TEST(RequirementCheck, EveryFigureIsMeasured) {
    Fidelity f = with_lateness(12'000);
    f.gap_variation = 0.25;
    f.fit = DistributionFit{
        .gaps = 99, .bins = 8, .lambda2 = 0.5, .lambda2_error = 0.1, .ks = 0.1, .ks_within = 0.05, .a2 = 7};
    FlowToCheck flow{.name = "a", .fidelity = &f, .lost = 2, .round_trip = true, .missed = 3, .unsent = 4};
    flow.add_times(RequiredFigure::delay_p50, {1000, 2000, 3000, 4000, 5000});
    flow.add_times(RequiredFigure::delay_p50, {1500, 1000, 1000, 1000, 1000});
    flow.add_times(RequiredFigure::rtt_p50, {6000, 7000, 8000, 9000, 9500});
    flow.times_ns[RequiredFigure::jitter] = 300;
    const std::vector<FlowToCheck> flows{flow};
    const std::pair<const char*, double> figures[] = {
        {"rate", 0.001},
        {"lateness-p50", 12'000},
        {"lateness-p90", 12'000},
        {"lateness-p99", 12'000},
        {"lateness-p99.9", 12'000},
        {"lateness-max", 12'000},
        {"gap-p50", 120},
        {"gap-p90", 120},
        {"gap-p99", 120},
        {"gap-p99.9", 120},
        {"gap-max", 120},
        {"gap-variation", 0.25},
        {"lambda2", 0.5},
        {"ks", 0.15},
        {"a2", 7},
        {"behind", 5000},
        {"batched", 0.1},
        {"loss", 0.02},
        {"missed", 3},
        {"unsent", 4},
        {"delay-p50", 1500},
        {"delay-p90", 2000},
        {"delay-p99", 3000},
        {"delay-p99.9", 4000},
        {"delay-max", 5000},
        {"jitter", 300},
        {"rtt-p50", 6000},
        {"rtt-p90", 7000},
        {"rtt-p99", 8000},
        {"rtt-p99.9", 9000},
        {"rtt-max", 9500},
    };
    EXPECT_EQ(std::size(figures), required_figures().size());
    for (const auto& [word, value] : figures) {
        const auto row = std::ranges::find(required_figures(), word, &RequiredFigureRow::word);
        ASSERT_NE(row, required_figures().end());
        const CheckedRequirement one = check_requirements({{row->figure, value * 1.001}}, flows).at(0);
        EXPECT_TRUE(one.met) << word;
        EXPECT_NEAR(one.worst.value(), value, 1e-9 + value * 1e-9) << word;
        EXPECT_FALSE(check_requirements({{row->figure, value * 0.99}}, flows).at(0).met) << word;
    }
}

TEST(RequirementCheck, WhatIsNotKnownIsNotMet) {
    const Fidelity f = with_lateness(10);
    const std::vector<FlowToCheck> flows{{.name = "a", .fidelity = &f, .lost = 0}, {.name = "b", .fidelity = &f}};
    const CheckedRequirement loss = checked("loss=0", flows);
    EXPECT_FALSE(loss.met);
    EXPECT_FALSE(loss.worst);
    EXPECT_EQ(loss.sentence(), "the share of packets lost of flow 'b' is not known, at most 0 % is required");
    EXPECT_FALSE(checked("loss=0", {}).met);
    const FlowToCheck hidden{.name = "c", .fidelity = &f, .loss_unknown_because = "because nobody counted"};
    EXPECT_EQ(checked("loss=100%", {hidden}).sentence(),
              "the share of packets lost of flow 'c' is not known because nobody counted, at most 100 % is required");
}

TEST(RequirementCheck, FlowsWithoutADistributionAreNotAskedForIt) {
    Fidelity constant = with_lateness(10);
    Fidelity random = with_lateness(10);
    random.fit = DistributionFit{.gaps = 99, .bins = 8, .lambda2 = 0.005};
    const std::vector<FlowToCheck> both{{.name = "constant", .fidelity = &constant},
                                        {.name = "random", .fidelity = &random}};
    EXPECT_TRUE(checked("lambda2=0.01", both).met);
    EXPECT_EQ(checked("lambda2=0.01", both).flow, "random");
    const CheckedRequirement none = checked("lambda2=0.01", {{.name = "constant", .fidelity = &constant}});
    EXPECT_FALSE(none.met);
    EXPECT_EQ(none.sentence(), "lambda squared is not known of any flow, at most 0.01 is required");
}

TEST(RequirementCheck, AFlowWithoutAScheduleIsNotAskedForIt) {
    const Fidelity paced = with_lateness(10);
    Fidelity greedy = with_lateness(10);
    greedy.greedy = true;
    greedy.forget_schedule();
    const std::vector<FlowToCheck> both{{.name = "paced", .fidelity = &paced, .lost = 0},
                                        {.name = "greedy", .fidelity = &greedy, .lost = 0}};
    EXPECT_EQ(checked("lateness-p99=1ms", both).flow, "paced");
    EXPECT_TRUE(checked("lateness-p99=1ms", both).met);
    EXPECT_TRUE(checked("loss=0", both).met);
    EXPECT_FALSE(checked("behind=1ms", {both[1]}).met);
}

TEST(RequirementCheck, TimesThatAreUnknownSayWhyAndOneWayFlowsHaveNoRoundTrip) {
    const Fidelity f = with_lateness(10);
    FlowToCheck one{.name = "one-way", .fidelity = &f, .times_unknown_because = "because of the clocks"};
    EXPECT_EQ(checked("delay-p99=1ms", {one}).sentence(),
              "the p99 of delay of flow 'one-way' is not known because of the clocks, at most 1000 us is required");
    EXPECT_EQ(checked("rtt-max=1ms", {one}).sentence(),
              "the largest round-trip time is not known of any flow, at most 1000 us is required");
    FlowToCheck there_and_back{.name = "back", .fidelity = &f, .round_trip = true};
    there_and_back.add_times(RequiredFigure::rtt_p50, {1, 2, 3, 4, 5});
    EXPECT_TRUE(checked("rtt-max=5ns", {one, there_and_back}).met);
    EXPECT_FALSE(checked("rtt-max=4ns", {one, there_and_back}).met);
}

TEST(RequirementCheck, AFlowOfWhichNothingWasSentMeetsNothing) {
    const Fidelity sent = with_lateness(10);
    const Fidelity none;
    for (const RequiredFigureRow& row : required_figures()) {
        Fidelity good = sent;
        good.fit = DistributionFit{.gaps = 99, .bins = 8};
        Fidelity random = none;
        random.gap_counts = GapCounts(std::make_shared<const GapModel>(Distribution(Exponential{1e6})));
        FlowToCheck whole{.name = "good", .fidelity = &good, .lost = 0, .round_trip = true, .missed = 0, .unsent = 0};
        whole.ran_to_its_end = true;
        whole.times_ns[row.figure] = 1;
        const std::vector<FlowToCheck> flows{
            whole, {.name = "failed", .fidelity = &random, .lost = 0, .round_trip = true, .missed = 0, .unsent = 0}};
        const CheckedRequirement one = check_requirements({{row.figure, 1e9}}, flows).at(0);
        EXPECT_FALSE(one.met) << row.word;
        EXPECT_EQ(one.flow, "failed") << row.word;
        EXPECT_THAT(one.sentence(), HasSubstr("is not known because nothing of it was sent")) << row.word;
        EXPECT_TRUE(check_requirements({{row.figure, 1e9}}, {flows[0]}).at(0).met) << row.word;
    }
}

TEST(RequirementCheck, AFlowWhosePacketsWereAllRefusedDoesNotKeepItsRate) {
    const Fidelity none;
    const std::vector<FlowToCheck> flows{
        {.name = "a", .fidelity = &none, .lost = 0, .missed = 0, .unsent = 50, .ran_to_its_end = true}};
    for (const char* required : {"rate=1", "lateness-p99=1s", "gap-p50=1s", "behind=1s", "batched=100%", "loss=100%"}) {
        EXPECT_FALSE(checked(required, flows).met) << required;
    }
    EXPECT_FALSE(checked("unsent=49", flows).met);
    EXPECT_EQ(checked("unsent=50", flows).worst, 50);
}

TEST(RequirementCheck, WhatWasNotAskedOfAFlowIsNotHeldAgainstIt) {
    const Fidelity many = with_lateness(10);
    const Fidelity none;
    Fidelity single;
    single.packets = 1;
    single.lateness_ns.add(10);
    const FlowToCheck asked{
        .name = "many", .fidelity = &many, .lost = 0, .missed = 0, .unsent = 0, .ran_to_its_end = true};
    FlowToCheck empty = asked;
    empty.fidelity = &none;
    FlowToCheck one = asked;
    one.name = "one";
    one.fidelity = &single;
    EXPECT_TRUE(checked("rate=0.2%", {asked, empty, one}).met);
    EXPECT_TRUE(checked("gap-p99=1us", {asked, empty, one}).met);
    EXPECT_TRUE(checked("lateness-p99=10ns", {asked, empty, one}).met);
    EXPECT_FALSE(checked("lateness-p99=9ns", {one}).met);
    EXPECT_FALSE(checked("rate=0.2%", {empty, one}).met) << "nothing at all was judged";
    one.missed = 1;  // two were asked for
    EXPECT_FALSE(checked("rate=0.2%", {asked, one}).met);
    one.missed = 0;
    one.ran_to_its_end = false;
    EXPECT_FALSE(checked("rate=0.2%", {asked, one}).met);
}

TEST(RequirementCheck, NobodyCountsWhatWasStillDueOfAFlowThatDidNotRunToItsEnd) {
    const Fidelity sent = with_lateness(10);
    for (const char* required : {"unsent=0", "missed=0"}) {
        const CheckedRequirement one = checked(required, {{.name = "cut", .fidelity = &sent}});
        EXPECT_FALSE(one.met);
        EXPECT_THAT(one.sentence(), HasSubstr("of flow 'cut' is not known because it did not run to its end"));
    }
}

TEST(RequirementCheck, TooFewGapsToJudgeAreUnknownWhenMoreWereAskedFor) {
    Fidelity few = with_lateness(10);
    few.packets = 10;
    few.gap_counts = GapCounts(std::make_shared<const GapModel>(Distribution(Exponential{1e6})));
    Fidelity random = with_lateness(10);
    random.fit = DistributionFit{.gaps = 99, .bins = 8, .lambda2 = 0.005};
    FlowToCheck short_one{.name = "few", .fidelity = &few, .missed = 0, .unsent = 0, .ran_to_its_end = true};
    const FlowToCheck other{.name = "random", .fidelity = &random};
    EXPECT_TRUE(checked("lambda2=0.01", {short_one, other}).met);
    short_one.ran_to_its_end = false;
    EXPECT_FALSE(checked("lambda2=0.01", {short_one, other}).met);
    short_one.ran_to_its_end = true;
    short_one.unsent = 11;
    EXPECT_EQ(checked("lambda2=0.01", {short_one, other}).flow, "few");
}

TEST(RequirementCheck, WhatIsNoNumberIsNotMet) {
    Fidelity fine = with_lateness(10);
    Fidelity strange = with_lateness(10);
    strange.gap_variation = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(
        checked("gap-variation=1", {{.name = "a", .fidelity = &fine}, {.name = "b", .fidelity = &strange}}).met);
}

TEST(RequirementCheck, ARateThatIsUnknownIsNotMet) {
    Fidelity damaged = with_lateness(100);
    damaged.scheduled = damaged.sent = {};
    const Fidelity good = with_lateness(100);
    EXPECT_FALSE(checked("rate=1%", {{.name = "a", .fidelity = &good}, {.name = "b", .fidelity = &damaged}}).met);
    EXPECT_TRUE(checked("rate=1%", {{.name = "a", .fidelity = &good}}).met);
}

}  // namespace
}  // namespace groma
