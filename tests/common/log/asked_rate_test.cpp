#include "common/log/asked_rate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sample_flow.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

FlowSpec for_ten_seconds(const Distribution& idt) {
    FlowSpec flow = flow_numbered(1);
    flow.idt = idt;
    flow.stop = {.duration = 10s, .packets = {}, .bytes = {}};
    return flow;
}

Fidelity sent_within(Nanos span, std::uint64_t packets) {
    Fidelity fidelity;
    fidelity.packets = fidelity.departures = packets;
    fidelity.scheduled = fidelity.sent = {Nanos{0}, span};
    return fidelity;
}

TEST(NominalRate, IsOneOverTheMeanGapAsItIsSent) {
    EXPECT_DOUBLE_EQ(nominal_pps(for_ten_seconds(Exponential{2e6})).value(), 500);
    // A normal distribution whose mean is its deviation: the mean of max(X, 0) is Phi(1) + phi(1) = 1.0833.
    EXPECT_NEAR(nominal_pps(for_ten_seconds(Normal{1e6, 1e6})).value(), 1000 / 1.08332, 0.01);
    EXPECT_FALSE(nominal_pps(for_ten_seconds(Cauchy{1e6, 1e6})));
    EXPECT_FALSE(nominal_pps(for_ten_seconds(Constant{0})));
}

TEST(NominalRate, OfOnAndOffPeriodsHasTheShareOfOn) {
    FlowSpec flow = for_ten_seconds(Constant{1e6});
    flow.on_off = OnOff{.on = Exponential{1e9}, .off = Exponential{3e9}};
    EXPECT_DOUBLE_EQ(nominal_pps(flow).value(), 250);
    flow.on_off->on = flow.on_off->off = Normal{1e9, 1e9};
    EXPECT_DOUBLE_EQ(nominal_pps(flow).value(), 500);
    flow.on_off->off = Constant{1.08332e9};
    EXPECT_NEAR(nominal_pps(flow).value(), 500, 0.01);
    flow.on_off->off = Pareto{1, 1e9};
    EXPECT_FALSE(nominal_pps(flow));
}

TEST(NominalRate, OfARateOverTimeIsItsMeanOverTheDuration) {
    FlowSpec flow = for_ten_seconds(Constant{1e6});
    flow.rate_over_time = RateOverTime::parse("ramp:200pps:1kpps:10s");
    EXPECT_DOUBLE_EQ(nominal_pps(flow).value(), 600);
    EXPECT_THAT(notes_on_rate(flow, sent_within(9999ms, 6000), {.whole = true}),
                ElementsAre(HasSubstr("asked: the rate ramp:200pps:1kpps:10s")));
    flow.stop = {.duration = {}, .packets = 5, .bytes = {}};
    EXPECT_FALSE(nominal_pps(flow));
}

TEST(RealisedRate, IsOverTheDurationThatAloneEndsTheFlow) {
    FlowSpec flow = for_ten_seconds(Constant{1e6});
    EXPECT_DOUBLE_EQ(realised_pps(flow, 115).value(), 11.5);
    flow.stop.packets = 1000;
    EXPECT_FALSE(realised_pps(flow, 115));
}

TEST(NotesOnRate, AreNoneWhereTheDrawsAreTheDistributionsAndFillTheDuration) {
    EXPECT_THAT(notes_on_rate(for_ten_seconds(Constant{1e6}), sent_within(9999ms, 10'000), {.whole = true}), IsEmpty());
    EXPECT_THAT(notes_on_rate(for_ten_seconds(Exponential{1e9}), sent_within(8s, 8), {.whole = true}), IsEmpty())
        << "chance";
    EXPECT_THAT(notes_on_rate(for_ten_seconds(Exponential{1e6}), {}, {.whole = true}), IsEmpty());
}

TEST(NotesOnRate, TellOfSilenceAtTheEndsOfAFlow) {
    EXPECT_THAT(
        notes_on_rate(for_ten_seconds(Pareto{1.2, 1e5}), sent_within(155ms, 115), {.whole = true}),
        ElementsAre("its rates are of the 155 ms from the first packet to the last; over the 10 s that were asked "
                    "for, it sent 11.5 pps"));
}

TEST(NotesOnRate, DoNotBlameSilenceForAFlowThatWasStoppedOrChosenFrom) {
    EXPECT_THAT(notes_on_rate(for_ten_seconds(Pareto{1.2, 1e5}), sent_within(155ms, 115), {.whole = false}), IsEmpty());
}

TEST(NotesOnRate, TellOfAMeanThatDoesNotExistOrIsNotTheOneWritten) {
    EXPECT_THAT(notes_on_rate(for_ten_seconds(Cauchy{1e6, 1e5}), sent_within(10s, 100), {.whole = true}),
                ElementsAre(HasSubstr("has no mean")));
    EXPECT_THAT(notes_on_rate(for_ten_seconds(Normal{1e6, 1e6}), sent_within(10s, 9230), {.whole = true}),
                ElementsAre(HasSubstr("the mean gap is 1.083")));
}

TEST(NotesOnRate, TellOfAMeanSizeThatIsNotTheDistributions) {
    FlowSpec flow = for_ten_seconds(Constant{1e6});
    flow.size = Normal{300, 400};
    Fidelity sent = sent_within(9999ms, 10'000);
    sent.bytes = 3'730'000;
    EXPECT_THAT(notes_on_rate(flow, sent, {.whole = true, .sizes_changed = 2'270}),
                ElementsAre(HasSubstr("2270 sizes were raised or lowered to what can be sent: the mean size is 373 B, "
                                      "and 300 B by the distribution")));
    EXPECT_THAT(notes_on_rate(flow, sent, {.whole = true}), IsEmpty()) << "chance";
    sent.bytes = 3'010'000;
    EXPECT_THAT(notes_on_rate(flow, sent, {.whole = true, .sizes_changed = 1}), IsEmpty());
}

}  // namespace
}  // namespace groma
