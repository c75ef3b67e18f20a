#include "decoder/clock_relation.hpp"

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

TEST(ClockRelation, OnlyProbesToThisReceiverCount) {
    const std::vector probes{probe_to("gamma", "z", 5000), probe_to("beta", "y", 77)};
    const ClockState clock = relate_clocks(host("alpha", "x"), probes, host("beta", "y"));
    EXPECT_EQ(clock, (ClockState{ClockState::Kind::probed, Nanos{77}, Nanos{100}, 1}));
    EXPECT_EQ(describe(clock), "offset 77 ns, error at most 100 ns (1 probe)");
}

TEST(ClockRelation, AHostIsKnownByItsNameWhenItsBootIdIsNot) {
    const std::vector probes{probe_to("beta", "", 77)};
    EXPECT_EQ(relate_clocks(host("alpha", "x"), probes, host("beta", "y")).offset, Nanos{77});
}

}  // namespace
}  // namespace groma
