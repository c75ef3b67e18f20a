#include "common/cli/thread_options.hpp"

#include <gmock/gmock.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using ::testing::ElementsAre;

TEST(CoreList, NumbersAndRangesRiseAndComeOnce) {
    EXPECT_THAT(parse_cores("3"), ElementsAre(3));
    EXPECT_THAT(parse_cores("0,2-4"), ElementsAre(0, 2, 3, 4));
    EXPECT_THAT(parse_cores("5-5,1,1-2"), ElementsAre(1, 2, 5));
}

TEST(CoreList, AnythingElseIsRefused) {
    for (const char* text : {"", ",", "1,", "-1", "1-", "3-2", "a", "1 2", "0x1", "8192", "0-99999999999", "1.5"}) {
        EXPECT_THROW(static_cast<void>(parse_cores(text)), UsageError) << text;
    }
}

TEST(CoreList, IsWrittenAsItIsRead) {
    EXPECT_EQ(cores_to_string({0, 2, 3, 4, 6}), "0,2-4,6");
    EXPECT_EQ(cores_to_string({}), "");
    EXPECT_EQ(parse_cores(cores_to_string({1, 2, 9})), (std::vector<unsigned>{1, 2, 9}));
}

TEST(Realtime, IsAutoOnOrOff) {
    for (const Realtime realtime : {Realtime::off, Realtime::automatic, Realtime::on}) {
        EXPECT_EQ(parse_realtime(to_string(realtime)), realtime);
    }
    EXPECT_EQ(parse_realtime("auto"), Realtime::automatic);
    for (const char* const text : {"", "yes", "automatic", "ON"}) {
        EXPECT_THROW(static_cast<void>(parse_realtime(text)), UsageError) << text;
    }
}

TEST(CoreList, ThreadsAreANumberOrAuto) {
    EXPECT_EQ(parse_threads("auto"), 0U);
    EXPECT_EQ(parse_threads("1"), 1U);
    EXPECT_EQ(parse_threads("256"), 256U);
    for (const char* text : {"0", "257", "-1", "", "1.5", "Auto", "2x"}) {
        EXPECT_THROW(static_cast<void>(parse_threads(text)), UsageError) << text;
    }
}

}  // namespace
}  // namespace groma
