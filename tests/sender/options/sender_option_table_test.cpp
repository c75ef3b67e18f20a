#include "sender/options/sender_option_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sender/options/option_rows.hpp"
#include "tests/documented.hpp"

namespace groma {
namespace {

using testing::Contains;
using testing::Not;

TEST(SenderOptionTable, IsInTheHelpAndInTheManPage) {
    expect_documented(sender_option_table(), GROMA_TEST_DATA);
}

TEST(SenderOptionTable, KnowsWhatElseTakesAnOption) {
    EXPECT_THAT(sender_options(option_use::of_flow), Contains("--congestion"));
    EXPECT_THAT(sender_options(option_use::of_flow), Not(Contains("--start-spread")));
    EXPECT_THAT(sender_options(option_use::of_daemon | option_use::with_daemon), Contains("--timeout"));
    EXPECT_THAT(sender_options_without(option_use::of_daemon | option_use::with_daemon), Not(Contains("--timeout")));
    EXPECT_THAT(sender_options_without(option_use::of_daemon), Contains("--timeout"));
}

}  // namespace
}  // namespace groma
