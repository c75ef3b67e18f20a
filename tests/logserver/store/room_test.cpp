#include "logserver/store/room.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

constexpr std::uint64_t kMiB = 1U << 20U;

TEST(Room, TakesUntilTheQuotaIsReached) {
    Room room({.max_disk = 100, .reserve = 0});
    room.measured(90, kMiB);
    EXPECT_TRUE(room.take(10));
    EXPECT_FALSE(room.take(1));
    EXPECT_NE(room.shortage().find("--max-disk"), std::string::npos);
}

TEST(Room, LeavesTheReserveToOthers) {
    Room room({.reserve = 1000});
    room.measured(0, 1010);
    EXPECT_TRUE(room.take(10));
    EXPECT_FALSE(room.take(1));
    EXPECT_NE(room.shortage().find("--reserve"), std::string::npos);
}

TEST(Room, RefusesEverythingAfterARefusal) {
    Room room({.max_disk = 100, .reserve = 0});
    room.measured(90, kMiB);
    EXPECT_FALSE(room.take(11));
    EXPECT_FALSE(room.take(1));
}

TEST(Room, GoesOnOnlyWithRoomToSpare) {
    Room room({.reserve = kMiB});
    room.measured(0, kMiB);
    EXPECT_FALSE(room.take(1));
    room.measured(0, kMiB + 1000);
    EXPECT_FALSE(room.shortage().empty());
    room.measured(0, 2 * kMiB);
    EXPECT_TRUE(room.shortage().empty());
    EXPECT_TRUE(room.take(1));
}

TEST(Room, TellsWhatIsKeptAndLeft) {
    Room room({.max_disk = 100, .reserve = 10});
    room.measured(60, 1000);
    EXPECT_TRUE(room.take(5));
    EXPECT_EQ(room.kept(), 65U);
    EXPECT_EQ(room.left(), 35U);
    room.measured(65, 12);
    EXPECT_EQ(room.left(), 2U);
}

TEST(Room, BelievesTheFileSystemRatherThanAMeasurement) {
    Room room({.reserve = 0});
    room.measured(0, 100 * kMiB);
    room.exhausted("No space left on device");
    EXPECT_FALSE(room.take(1));
    room.measured(0, 100 * kMiB);
    EXPECT_TRUE(room.take(1));
}

}  // namespace
}  // namespace groma
