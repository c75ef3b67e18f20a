#include "sender/run/send_progress.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

using namespace std::chrono_literals;

std::vector<FlowSpec> flows(std::vector<std::optional<Nanos>> durations) {
    std::vector<FlowSpec> specs;
    for (const auto& duration : durations) {
        FlowSpec spec;
        spec.stop.duration = duration;
        specs.push_back(spec);
    }
    return specs;
}

TEST(Progress, SaysHowFarTheRunIsAndHowFastItGoes) {
    Progress progress(flows({10s, 5s}));
    EXPECT_EQ(progress.line(1s, {{FlowId{1}, 1000, 512'000, false}, {FlowId{2}, 0, 0, false}}),
              "1 s of 10 s, 2 of 2 flows, 1 kpps, 4.096 Mbit/s, 1000 packets");
}

TEST(Progress, RatesAreThoseSinceTheLastLine) {
    Progress progress(flows({10s}));
    (void)progress.line(1s, {{FlowId{1}, 1000, 100'000, false}});
    EXPECT_EQ(progress.line(3s, {{FlowId{1}, 1500, 150'000, true}}),
              "3 s of 10 s, 0 of 1 flow, 250 pps, 200 kbit/s, 1500 packets");
}

TEST(Progress, AFlowWithoutADurationHasNoKnownEnd) {
    EXPECT_EQ(Progress(flows({10s, std::nullopt})).planned_end(), std::nullopt);
    std::vector<FlowSpec> later = flows({10s, 4s});
    later[1].start_delay = 20s;
    EXPECT_EQ(Progress(later).planned_end(), 24s);
}

TEST(Progress, ARunThatTakesLongerThanPlannedDoesNotSayNonsense) {
    Progress progress(flows({10s}));
    EXPECT_EQ(progress.line(12s, {{FlowId{1}, 0, 0, false}}), "12 s, 1 of 1 flow, 0 pps, 0 bit/s, 0 packets");
    EXPECT_EQ(progress.line(12s, {{FlowId{1}, 5, 5, false}}), "12 s, 1 of 1 flow, 0 pps, 0 bit/s, 5 packets");
}

}  // namespace
}  // namespace groma
