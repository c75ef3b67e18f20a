#include "sender/engine/send_times.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace groma {
namespace {

TEST(SendTimes, KeepsTheLastPacketsAndForgetsThoseBefore) {
    SendTimes times(4);
    EXPECT_FALSE(times.find(0)) << "nothing was sent yet";
    for (std::uint32_t seq = 0; seq < 6; ++seq) {
        times.put(seq, wall_time_from_ns(100 * seq));
    }
    EXPECT_FALSE(times.find(1));
    for (std::uint32_t seq = 2; seq < 6; ++seq) {
        EXPECT_EQ(times.find(seq), wall_time_from_ns(100 * seq));
    }
    EXPECT_FALSE(times.find(6));
}

TEST(SendTimes, APacketThatIsTriedAgainHasItsLastTime) {
    SendTimes times(4);
    times.put(0xFFFFFFFF, wall_time_from_ns(1));
    times.put(0xFFFFFFFF, wall_time_from_ns(2));
    EXPECT_EQ(times.find(0xFFFFFFFF), wall_time_from_ns(2));
}

TEST(SendTimes, AReaderBesideTheWriterNeverSeesTheTimeOfAnotherPacket) {
    constexpr std::uint32_t kPackets = 200'000;
    SendTimes times(2);
    std::thread writer([&times] {
        for (std::uint32_t seq = 0; seq < kPackets; ++seq) {
            times.put(seq, wall_time_from_ns(seq));
        }
    });
    for (std::uint32_t seq = 0; seq < kPackets; ++seq) {
        const auto found = times.find(seq);
        ASSERT_TRUE(not found or *found == wall_time_from_ns(seq));
    }
    writer.join();
    EXPECT_EQ(times.find(kPackets - 1), wall_time_from_ns(kPackets - 1));
}

}  // namespace
}  // namespace groma
