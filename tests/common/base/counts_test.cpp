#include "common/base/counts.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

std::uint64_t sum_of(std::uint64_t sum, std::uint64_t count) {
    add_count(sum, count);
    return sum;
}

TEST(Counts, AreAddedUntilTheLargestThatReadersOfOutputsTake) {
    EXPECT_EQ(sum_of(2, 3), 5U);
    EXPECT_EQ(sum_of(kLargestCount - 3, 3), kLargestCount);
    EXPECT_EQ(sum_of(kLargestCount - 3, 4), kLargestCount);
    EXPECT_EQ(sum_of(0, UINT64_MAX), kLargestCount);
    EXPECT_EQ(sum_of(UINT64_MAX, 1), kLargestCount);
}

}  // namespace
}  // namespace groma
