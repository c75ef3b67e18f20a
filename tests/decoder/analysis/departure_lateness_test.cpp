#include "decoder/analysis/departure_lateness.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <vector>

#include "common/time/difference.hpp"

namespace groma {
namespace {

using Lateness = std::vector<std::int64_t>;

std::shared_ptr<DepartureLateness::Room> room_for(std::int64_t packets) {
    return std::make_shared<DepartureLateness::Room>(packets);
}

TEST(DepartureLateness, IsFoundByNumber) {
    DepartureLateness late(room_for(100));
    late.add(5, Lateness{100, -200, 16'000'001});
    late.add(10, Lateness{7});
    EXPECT_EQ(late.find(5), Nanos{100});
    EXPECT_EQ(late.find(6), Nanos{-200});
    EXPECT_EQ(late.find(7), Nanos{16'000'001});
    EXPECT_EQ(late.find(10), Nanos{7});
    for (const std::uint64_t unknown : {4U, 8U, 9U, 11U}) {
        EXPECT_EQ(late.find(unknown), std::nullopt) << unknown;
    }
}

TEST(DepartureLateness, OfManyIsAddedWhereAllAreKnown) {
    DepartureLateness late(room_for(100));
    late.add(5, Lateness{1, 2, 3});
    late.add(9, Lateness{4});
    std::array<std::int64_t, 2> delays{10, 20};
    EXPECT_TRUE(late.add_to(6, delays));
    EXPECT_EQ(delays, (std::array<std::int64_t, 2>{12, 23}));
    for (const std::uint64_t first : {4U, 7U, 8U, 9U, 20U}) {
        EXPECT_FALSE(late.add_to(first, delays)) << first;
    }
    EXPECT_EQ(delays, (std::array<std::int64_t, 2>{12, 23}));
}

TEST(DepartureLateness, OfALongTimeIsNearlyExact) {
    DepartureLateness late(room_for(1));
    constexpr std::int64_t kHour = 3'600'000'000'001;
    late.add(0, Lateness{kHour});
    EXPECT_NEAR(static_cast<double>(late.find(0)->count()), kHour, kHour * 6e-8);
}

TEST(DepartureLateness, OfDamagedRecordsIsLimited) {
    DepartureLateness late(room_for(2));
    late.add(0, Lateness{std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()});
    EXPECT_EQ(late.find(0), kLongestSpan);
    std::array<std::int64_t, 2> delays{kLongestSpan.count(), -kLongestSpan.count()};
    EXPECT_TRUE(late.add_to(0, delays));
    EXPECT_EQ(delays, (std::array<std::int64_t, 2>{kLongestSpan.count(), -kLongestSpan.count()}));
}

TEST(DepartureLateness, OfMorePacketsThanThereIsRoomForIsUnknownOfAllFlows) {
    const auto room = room_for(10);
    DepartureLateness one(room);
    DepartureLateness other(room);
    one.add(0, Lateness(6, 1));
    other.add(0, Lateness(4, 1));
    EXPECT_EQ(other.find(0), Nanos{1});
    one.add(6, Lateness(1, 1));
    std::array<std::int64_t, 2> delays{10, 20};
    for (const auto* flow : {&one, &other}) {
        EXPECT_TRUE(flow->gave_up());
        EXPECT_EQ(flow->find(0), std::nullopt);
        EXPECT_FALSE(flow->add_to(0, delays));
    }
}

TEST(DepartureLateness, OfNumbersThatLeapOrDoNotRiseIsUnknown) {
    for (const std::uint64_t next : {std::uint64_t{2}, std::uint64_t{0}, ~std::uint64_t{0}, std::uint64_t{1} << 62}) {
        const auto room = room_for(100);
        DepartureLateness late(room);
        late.add(1, Lateness{1, 2, 3});
        late.add(next, Lateness{1});
        EXPECT_TRUE(late.gave_up()) << next;
        EXPECT_EQ(*room, 97) << "other flows keep theirs";
    }
}

TEST(DepartureLateness, IsNotKeptWithoutRoom) {
    DepartureLateness late;
    late.add(0, Lateness{1});
    EXPECT_EQ(late.find(0), std::nullopt);
    EXPECT_FALSE(late.gave_up());
}

}  // namespace
}  // namespace groma
