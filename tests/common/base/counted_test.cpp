#include "common/base/counted.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

TEST(Counted, OneThingIsNotSeveral) {
    EXPECT_EQ(counted(0, "flow"), "0 flows");
    EXPECT_EQ(counted(1, "flow"), "1 flow");
    EXPECT_EQ(counted(2, "flow"), "2 flows");
    EXPECT_EQ(by_count(0, "is", "are"), "are");
    EXPECT_EQ(by_count(1, "is", "are"), "is");
    EXPECT_EQ(by_count(2, "is", "are"), "are");
}

}  // namespace
}  // namespace groma
