// Flows that share a socket: packets that are due together leave in one call, and each flow has its own counts.
#include <gtest/gtest.h>

#include <cerrno>
#include <vector>

#include "tests/simulation/sender_world.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

FlowSpec sharing_flow(std::uint32_t id, std::uint64_t packets, Nanos gap = 1ms) {
    FlowSpec spec = steady_flow(id, packets, gap);
    spec.options.association = 1;
    return spec;
}

/// (flow, number) of each packet.
std::vector<std::pair<std::uint32_t, std::uint32_t>> packets_of(const FakeWire& wire) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> packets;
    packets.reserve(wire.packets.size());
    for (const FakePacket& packet : wire.packets) {
        packets.emplace_back(packet.header.flow->value, *packet.header.seq);
    }
    return packets;
}

/// Three flows on one socket.
class SharedCalls : public ::testing::Test {
protected:
    void begin(std::uint64_t packets) {
        world_.add(sharing_flow(1, packets));
        world_.add_beside(sharing_flow(2, packets), 0);
        wire_ = &world_.add_beside(sharing_flow(3, packets), 0);
        world_.begin();
    }

    [[nodiscard]] FlowOutcome outcome(std::uint32_t place) { return world_.flow(place).outcome(""); }

    SenderWorld world_;
    FakeWire* wire_ = nullptr;
};

TEST_F(SharedCalls, WhatIsDueTogetherGoesInOneCallOnTime) {
    begin(2);
    ASSERT_TRUE(world_.run());
    EXPECT_EQ(wire_->calls, (std::vector<std::size_t>{3, 3}));
    EXPECT_EQ(packets_of(*wire_),
              (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{1, 0}, {2, 0}, {3, 0}, {1, 1}, {2, 1}, {3, 1}}));
    for (std::uint32_t place = 0; place < 3; ++place) {
        const std::vector<SentRecord> records = world_.records(place);
        ASSERT_EQ(records.size(), 2U);
        EXPECT_EQ(records[1].lateness, 0ns);
        EXPECT_EQ(records[1].batch, 3U) << "packets of the call, of all flows";
    }
}

TEST_F(SharedCalls, WhatASocketHasNoRoomForIsSentLaterByTheFlowsWhosePacketsTheyAre) {
    begin(1);
    wire_->answers = {{.sent = 1, .status = SendStatus::would_block, .errno_value = EAGAIN}};
    ASSERT_TRUE(world_.run());
    EXPECT_EQ(wire_->packets.size(), 3U);
    EXPECT_EQ(outcome(0).counts.blocked, 0U);
    EXPECT_EQ(outcome(1).counts.blocked, 1U);
    EXPECT_EQ(outcome(2).counts.blocked, 0U);
    for (std::uint32_t place = 0; place < 3; ++place) {
        EXPECT_EQ(world_.flow(place).progress().packets, 1U);
    }
}

TEST_F(SharedCalls, APacketThatTheKernelDropsIsItsFlowsLossAlone) {
    begin(1);
    wire_->answers = {{.sent = 1, .status = SendStatus::dropped, .errno_value = ENOBUFS}};
    ASSERT_TRUE(world_.run());
    EXPECT_EQ(packets_of(*wire_), (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{1, 0}, {3, 0}}));
    EXPECT_EQ(outcome(1).counts.dropped, 1U);
    EXPECT_EQ(outcome(0).counts.dropped + outcome(2).counts.dropped, 0U);
}

TEST_F(SharedCalls, AReportOfARefusalThatLostNothingIsCountedOnce) {
    begin(1);
    wire_->answers = {{.sent = 3, .status = SendStatus::refused, .errno_value = ECONNREFUSED}};
    ASSERT_TRUE(world_.run());
    EXPECT_EQ(wire_->packets.size(), 3U);
    EXPECT_EQ(outcome(0).counts.refused + outcome(1).counts.refused + outcome(2).counts.refused, 1U);
}

TEST_F(SharedCalls, ASocketThatFailsEndsEveryFlowThatHasPacketsLeft) {
    begin(1);
    const SendOutcome broken{.sent = 0, .status = SendStatus::failed, .errno_value = EBADF};
    wire_->answers = {{.sent = 1, .status = SendStatus::failed, .errno_value = EBADF}, broken};
    ASSERT_TRUE(world_.run());
    EXPECT_EQ(outcome(0).counts.end, FlowEnd::complete);
    EXPECT_EQ(outcome(1).counts.end, FlowEnd::failed);
    EXPECT_EQ(outcome(2).counts.end, FlowEnd::failed);
}

TEST_F(SharedCalls, AFlowThatIsGivenUpTakesNoPacketOfTheOthersWithIt) {
    FlowSpec late = sharing_flow(1, 1000, 1us);
    late.stop.duration = 1ms;
    world_.add(late);
    wire_ = &world_.add_beside(sharing_flow(2, 3, 1s), 0);
    world_.begin();
    wire_->writable_at = world_.start + 1500ms;
    ASSERT_TRUE(world_.run());
    EXPECT_TRUE(outcome(0).counts.cut_short);
    EXPECT_EQ(world_.flow(1).progress().packets, 3U);
}

TEST(SharedCallsOfSockets, EachSocketHasItsOwnCalls) {
    SenderWorld world;
    const FakeWire& one = world.add(sharing_flow(1, 5));
    const FakeWire& other = world.add(sharing_flow(2, 5));
    world.begin();
    ASSERT_TRUE(world.run());
    EXPECT_EQ(one.calls, std::vector<std::size_t>(5, 1));
    EXPECT_EQ(other.calls, std::vector<std::size_t>(5, 1));
}

}  // namespace
}  // namespace groma
