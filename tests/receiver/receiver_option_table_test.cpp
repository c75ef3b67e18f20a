#include "receiver/receiver_option_table.hpp"

#include <gtest/gtest.h>

#include "tests/documented.hpp"

namespace groma {
namespace {

TEST(ReceiverOptionTable, IsInTheHelpAndInTheManPage) {
    expect_documented(receiver_option_table(), GROMA_TEST_DATA);
}

TEST(ReceiverOptionTable, CompletesInShells) {
    expect_completed({.table = receiver_option_table()}, GROMA_TEST_DATA);
}

}  // namespace
}  // namespace groma
