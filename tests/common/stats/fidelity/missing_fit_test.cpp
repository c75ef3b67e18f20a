#include "common/stats/fidelity/missing_fit.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace groma {
namespace {

std::string_view reason(const Distribution& idt, std::size_t gaps = 0) {
    FlowSpec flow;
    flow.idt = idt;
    Fidelity fidelity;
    fidelity.gap_counts = GapCounts(GapModels().of(flow).model);
    for (std::size_t i = 0; i < gaps; ++i) {
        fidelity.gap_counts.add(static_cast<std::int64_t>(i));
    }
    PooledGaps pooled;
    pooled.add(fidelity.gap_counts);
    fidelity.fit = pooled.fit();
    return why_no_fit(flow, fidelity);
}

TEST(MissingFit, HasAReasonForEachKindOfFlow) {
    EXPECT_EQ(reason(Exponential{1e6}, 20), "");
    EXPECT_NE(reason(Exponential{1e6}, 19).find("fewer than 20 gaps"), std::string_view::npos);
    EXPECT_NE(reason(Constant{1e6}, 0).find("constant"), std::string_view::npos);
    EXPECT_NE(reason(Cauchy{-1e6, 1e5}, 0).find("raised to 0"), std::string_view::npos);
    EXPECT_NE(reason(Normal{1e6, 0.2}, 100).find("too narrow"), std::string_view::npos);
    FlowSpec flow;
    flow.idt = Exponential{1e6};
    EXPECT_NE(why_no_fit(flow, {}).find("too many distributions"), std::string_view::npos);
    flow.on_off = OnOff{Constant{1e9}, Constant{1e9}};
    flow.lateness = LatenessPolicy::skip;
    EXPECT_NE(why_no_fit(flow, {}).find("ON and OFF"), std::string_view::npos);
    flow.rate_over_time = RateOverTime::parse("ramp:1pps:2pps:1s");
    EXPECT_NE(why_no_fit(flow, {}).find("rate changes with time"), std::string_view::npos);
}

TEST(MissingFit, OfSeveralFlowsIsThatOfTheFirstWithGapsEnough) {
    Fidelity fitted;
    fitted.fit = DistributionFit{};
    Fidelity few;
    Fidelity many;
    few.gap_error_ns.add(1, 19);
    many.gap_error_ns.add(1, 20);
    MissingFits missing;
    missing.add("a", fitted, "");
    EXPECT_EQ(missing.why(), "");
    missing.add("b", few, "it is short");
    missing.add("c", few, "it is shorter");
    EXPECT_EQ(missing.why(), "flow 'b' has none: it is short");
    missing.add("d", many, "it is constant");
    missing.add("e", many, "it has periods");
    EXPECT_EQ(missing.why(), "flow 'd' has none: it is constant");
}

}  // namespace
}  // namespace groma
