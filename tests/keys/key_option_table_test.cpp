#include "keys/key_option_table.hpp"

#include <gtest/gtest.h>

#include "tests/documented.hpp"

namespace groma {
namespace {

TEST(KeyOptionTable, IsInTheHelpAndInTheManPage) {
    expect_documented(key_option_table(), GROMA_TEST_DATA);
}

}  // namespace
}  // namespace groma
