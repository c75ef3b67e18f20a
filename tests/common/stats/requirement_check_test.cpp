#include "common/stats/requirement_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace groma {
namespace {

using testing::HasSubstr;

Fidelity with_lateness(std::int64_t ns) {
    Fidelity fidelity;
    fidelity.packets = 100;
    fidelity.alone = 90;
    fidelity.batched = 10;
    fidelity.scheduled_pps = 1000;
    fidelity.sent_pps = 999;
    fidelity.lateness_ns.add(ns, 100);
    fidelity.gap_error_ns.add(ns / 100, 99);
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
        .gaps = 99, .bins = 8, .lambda2 = 0.5, .lambda2_error = 0.1, .ks = 0.1, .ks_within = 0, .a2 = 7};
    const std::vector<FlowToCheck> flows{{.name = "a", .fidelity = &f, .lost = 2, .missed = 3, .unsent = 4}};
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
        {"ks", 0.1},
        {"a2", 7},
        {"behind", 5000},
        {"batched", 0.1},
        {"loss", 0.02},
        {"missed", 3},
        {"unsent", 4},
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

}  // namespace
}  // namespace groma
