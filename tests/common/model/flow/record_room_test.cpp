// Room for records on their way to the log, by the expected packets of flows.
#include "common/model/flow/record_room.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <vector>

namespace groma {
namespace {

constexpr std::size_t kMost = 1 << 19;

std::size_t room_of(const std::vector<StopRule>& flows, std::size_t most = kMost) {
    RecordRoom room;
    for (const StopRule& flow : flows) {
        room.add(flow);
    }
    return room.records(most);
}

StopRule packets(std::uint64_t count) {
    StopRule stop;
    stop.packets = count;
    return stop;
}

TEST(RecordRoom, IsTwiceThePacketsOfAllFlows) {
    EXPECT_EQ(room_of({packets(10'000), packets(20'000)}), 60'000U);
}

TEST(RecordRoom, HasALowerAndAnUpperLimit) {
    EXPECT_EQ(room_of({}), 4096U);
    EXPECT_EQ(room_of({packets(1)}), 4096U);
    EXPECT_EQ(room_of({packets(1)}, 16), 16U);
    EXPECT_EQ(room_of({packets(kMost / 2)}), kMost);
    EXPECT_EQ(room_of({packets(kMost / 2 + 1)}), kMost);
}

TEST(RecordRoom, IsAllThereIsForAFlowThatDoesNotSayHowManyItSends) {
    StopRule second;
    second.duration = std::chrono::seconds(1);
    EXPECT_EQ(room_of({packets(1), second}), kMost);
    EXPECT_EQ(room_of({second, packets(1)}), kMost);
}

TEST(RecordRoom, OfMorePacketsThanCanBeCounted) {
    constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
    EXPECT_EQ(room_of({packets(kHuge), packets(kHuge)}), kMost);
    EXPECT_EQ(room_of({packets(kHuge / 2), packets(kHuge / 2 + 2)}), kMost);
}

}  // namespace
}  // namespace groma
