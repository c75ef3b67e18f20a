#include "common/json/json_place.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

TEST(JsonPlace, IsToldByThePathOfWhatItIsIn) {
    const JsonPlace top;
    const JsonPlace flow{.in = &top, .name = "flows", .index = 2};
    const JsonPlace target{.in = &flow, .name = "target"};
    const JsonPlace port{.in = &target, .name = "port"};
    EXPECT_EQ(port.last(), "port");
    EXPECT_EQ(port.where(), " (in 'flows[2].target')");
    EXPECT_EQ(target.where(), " (in 'flows[2]')");
}

TEST(JsonPlace, AtTheTopNeedsNoPath) {
    const JsonPlace top;
    EXPECT_EQ(top.where(), "");
    EXPECT_EQ((JsonPlace{.in = &top, .name = "port"}.where()), "");
}

TEST(JsonPlace, OfAnElementHasItsNumberFromZero) {
    const JsonPlace first{.in = nullptr, .name = "flows", .index = 0};
    EXPECT_EQ(first.last(), "flows[0]");
    const JsonPlace inner{.in = &first, .name = "", .index = 3};  // of a list in a list
    const JsonPlace value{.in = &inner, .name = "size"};
    EXPECT_EQ(value.where(), " (in 'flows[0][3]')");
}

}  // namespace
}  // namespace groma
