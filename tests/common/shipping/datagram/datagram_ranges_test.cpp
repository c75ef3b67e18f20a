#include "common/shipping/datagram/datagram_ranges.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace groma {
namespace {

TEST(NumberRanges, MeltsRangesThatTouch) {
    NumberRanges ranges;
    EXPECT_TRUE(ranges.add({10, 20}));
    EXPECT_TRUE(ranges.add({30, 40}));
    EXPECT_TRUE(ranges.add({20, 30}));
    ASSERT_EQ(ranges.count(), 1U);
    EXPECT_EQ(ranges.front(), (NumberRange{10, 40}));
    EXPECT_FALSE(ranges.add({12, 40}));
    EXPECT_FALSE(ranges.add({5, 5}));
}

TEST(NumberRanges, CutsAHoleIntoARange) {
    NumberRanges ranges;
    ranges.add({10, 20});
    ranges.remove({12, 14});
    ASSERT_EQ(ranges.count(), 2U);
    EXPECT_EQ(ranges.front(), (NumberRange{10, 12}));
    EXPECT_EQ(ranges.back(), (NumberRange{14, 20}));
    EXPECT_EQ(ranges.around(15), (NumberRange{14, 20}));
    EXPECT_FALSE(ranges.contains(13));
}

TEST(NumberRanges, IsTheSetThatItWasMadeOf) {
    std::mt19937_64 random(1);
    NumberRanges ranges;
    std::set<std::uint64_t> numbers;
    for (int turn = 0; turn < 5000; ++turn) {
        const std::uint64_t begin = random() % 200;
        const NumberRange range{begin, begin + random() % 20};
        const bool adds = random() % 2 == 0;
        bool is_new = false;
        for (std::uint64_t number = range.begin; number < range.end; ++number) {
            is_new = adds ? numbers.insert(number).second or is_new : (numbers.erase(number), false);
        }
        if (adds) {
            EXPECT_EQ(ranges.add(range), is_new);
        } else {
            ranges.remove(range);
        }
        std::set<std::uint64_t> found;
        const NumberRange* before = nullptr;
        for (const NumberRange& one : ranges.all()) {
            ASSERT_LT(one.begin, one.end);
            ASSERT_TRUE(before == nullptr or before->end < one.begin);
            before = &one;
            for (std::uint64_t number = one.begin; number < one.end; ++number) {
                found.insert(number);
            }
        }
        ASSERT_EQ(found, numbers) << "turn " << turn;
    }
}

}  // namespace
}  // namespace groma
