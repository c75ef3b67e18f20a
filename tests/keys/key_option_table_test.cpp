#include "keys/key_option_table.hpp"

#include <gtest/gtest.h>

#include "common/access/access_key.hpp"
#include "tests/documented.hpp"

namespace groma {
namespace {

TEST(KeyOptionTable, IsInTheHelpAndInTheManPage) {
    expect_documented(key_option_table(), GROMA_TEST_DATA);
}

TEST(KeyOptionTable, CompletesInShells) {
    expect_completed({.table = key_option_table(),
                      .words = {{"ROLES", named_words(kRoles, [](Role role) { return to_string(role); })},
                                {"SCOPES", {"metrics", "page"}}}},
                     GROMA_TEST_DATA);
}

}  // namespace
}  // namespace groma
