#include "decoder/analysis/clock_relation.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace groma {
namespace {

RunMetadata host(const std::string& name, const std::string& boot_id) {
    RunMetadata metadata;
    metadata.host = name;
    metadata.boot_id = boot_id;
    return metadata;
}

ClockProbe probe_to(const std::string& name, const std::string& boot_id, std::int64_t offset) {
    return {wall_time_from_ns(0),
            wall_time_from_ns(100 + offset),
            wall_time_from_ns(110 + offset),
            wall_time_from_ns(210),
            name,
            boot_id};
}

TEST(ClockRelation, TheSameBootIdIsOneClockWhateverTheProbesSay) {
    const std::vector probes{probe_to("beta", "x", 77)};
    const ClockState clock = relate_clocks(host("alpha", "x"), probes, host("beta", "x"));
    EXPECT_EQ(clock, ClockState{.kind = ClockState::Kind::one_clock});
    EXPECT_EQ(describe(clock), "one clock, offset 0");
}

TEST(ClockRelation, UnknownBootIdsAreNotTheSame) {
    EXPECT_EQ(relate_clocks(host("alpha", ""), {}, host("beta", "")).kind, ClockState::Kind::relative);
}

TEST(ClockRelation, ArrivalsStampedByHardwareHaveTheInterfacesClock) {
    FlowSpec flow;
    RunMetadata receiver = host("beta", "x");
    const ClockState one_clock{.kind = ClockState::Kind::one_clock};
    receiver.timestamps = "hardware, kernel software";  // of another flow
    EXPECT_EQ(clock_of_arrivals(flow, receiver, one_clock), one_clock);
    flow.options.arrival_stamps = StampSource::hardware;
    const ClockState found = clock_of_arrivals(flow, receiver, one_clock);
    EXPECT_EQ(found.kind, ClockState::Kind::interface);
    EXPECT_FALSE(found.absolute());
    EXPECT_EQ(to_string(found.kind), "interface");
    EXPECT_EQ(describe(found), "arrivals have the interface's clock: delays are relative to the minimum of each flow");
    receiver.timestamps = "kernel software";  // the interface has no stamps
    EXPECT_EQ(clock_of_arrivals(flow, receiver, one_clock), one_clock);
    receiver.timestamps = "";  // its log is not there
    EXPECT_EQ(clock_of_arrivals(flow, receiver, one_clock).kind, ClockState::Kind::interface);
}

TEST(ClockRelation, ClocksMayBeMixedWhereSomeArrivalsLackTheInterfacesStamp) {
    const ClockState interface { .kind = ClockState::Kind::interface };
    FlowTotals totals;
    EXPECT_EQ(why_clocks_are_mixed(interface, &totals), "");
    EXPECT_NE(why_clocks_are_mixed(interface, nullptr), "");
    EXPECT_EQ(why_clocks_are_mixed({.kind = ClockState::Kind::one_clock}, nullptr), "");
    totals.counters.emplace_back("unstamped_packets", 3);
    EXPECT_EQ(why_clocks_are_mixed(interface, &totals),
              "the times of arrival of 3 packets are the host's, and the others the interface's");
}

TEST(ClockRelation, OnlyProbesToThisReceiverCount) {
    const std::vector probes{probe_to("gamma", "z", 5000), probe_to("beta", "y", 77)};
    const ClockState clock = relate_clocks(host("alpha", "x"), probes, host("beta", "y"));
    EXPECT_EQ(clock.kind, ClockState::Kind::probed);
    EXPECT_EQ(clock.offset, Nanos{77});
    EXPECT_EQ(clock.bound, Nanos{103});  // half of the way there and back; stamps are whole nanoseconds
    EXPECT_EQ(describe(clock), "offset 77 ns, error at most 103 ns, skew 0.0 +- 500.0 ppm (1 probe)");
}

TEST(ClockRelation, ProbesThatAreAllUnusableAreSaid) {
    const auto said = [](const std::vector<ClockProbe>& probes) {
        return describe(relate_clocks(host("alpha", "x"), probes, host("beta", "y")));
    };
    constexpr const char* kThen = ": delays are relative to the minimum of each flow";
    EXPECT_EQ(said({}), std::string("no clock probes") + kThen);
    EXPECT_EQ(said({probe_to("gamma", "z", 5000), probe_to("gamma", "z", 5000)}),
              std::string("2 clock probes, none usable (they went to other receivers)") + kThen);
    ClockProbe wrong = probe_to("beta", "y", 77);
    wrong.returned = wall_time_from_ns(-1);
    EXPECT_EQ(said({wrong, probe_to("gamma", "z", 5000)}),
              std::string("1 clock probe, none usable (their times contradict themselves, or are more than 73 years "
                          "apart)") +
                  kThen);
}

TEST(ClockRelation, AHostIsKnownByItsNameWhenItsBootIdIsNot) {
    const std::vector probes{probe_to("beta", "", 77)};
    EXPECT_EQ(relate_clocks(host("alpha", "x"), probes, host("beta", "y")).offset, Nanos{77});
}

TEST(ClockRelation, SkewAndStepsAreTakenOffAndSaid) {
    std::vector<ClockProbe> probes;
    for (std::int64_t i = 0; i < 100; ++i) {
        ClockProbe probe = probe_to("beta", "y", 1000 + i * 10 + (i < 50 ? 0 : 5'000'000));
        for (WallTime* time : {&probe.sent, &probe.received, &probe.answered, &probe.returned}) {
            *time += Nanos{i * 1'000'000};
        }
        probes.push_back(probe);
    }
    const ClockState clock = relate_clocks(host("alpha", "x"), probes, host("beta", "y"));
    EXPECT_NEAR(static_cast<double>(clock.offset_at(wall_time_from_ns(20'000'000)).count()), 1200, 5);
    EXPECT_NEAR(static_cast<double>(clock.offset_at(wall_time_from_ns(80'000'000)).count()), 5'001'800, 5);
    EXPECT_LT(clock.bound_between(wall_time_from_ns(0), wall_time_from_ns(30'000'000)), Nanos{110});
    EXPECT_GT(clock.bound_between(wall_time_from_ns(0), wall_time_from_ns(90'000'000)), Nanos{5'000'000});
    EXPECT_NE(describe(clock).find("step of 5 ms"), std::string::npos) << describe(clock);
}

}  // namespace
}  // namespace groma
