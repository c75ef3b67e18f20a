#include "logserver/log_option_table.hpp"

#include <gtest/gtest.h>

#include "tests/documented.hpp"

namespace groma {
namespace {

TEST(LogOptionTable, IsInTheHelpAndInTheManPage) {
    expect_documented(log_option_table(), GROMA_TEST_DATA);
}

}  // namespace
}  // namespace groma
