#include "logserver/log_option_table.hpp"

#include <gtest/gtest.h>

#include "tests/documented.hpp"

namespace groma {
namespace {

TEST(LogOptionTable, IsInTheHelpAndInTheManPage) {
    expect_documented(log_option_table(), GROMA_TEST_DATA);
}

TEST(LogOptionTable, CompletesInShells) {
    expect_completed({.table = log_option_table(), .words = {{"--sync", {"block", "interval", "close"}}}},
                     GROMA_TEST_DATA);
}

}  // namespace
}  // namespace groma
