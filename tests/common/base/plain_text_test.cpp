#include "common/base/plain_text.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

TEST(PlainText, LeavesOrdinaryTextInAnyLanguageAlone) {
    EXPECT_EQ(plain_text("délai: 3 µs"), "délai: 3 µs");
}

TEST(PlainText, ShowsControlCharactersInsteadOfObeyingThem) {
    EXPECT_EQ(plain_text("a\x1b[2Jb\n\x7f"), "a\\x1b[2Jb\\x0a\\x7f");
    EXPECT_EQ(plain_text("a\xc2\x9b"
                         "b"),
              "a\\xc2\\x9bb");
}

TEST(PlainText, CutsALongTextAndSaysSo) {
    EXPECT_EQ(plain_text("abcdef", 3), "abc...");
}

}  // namespace
}  // namespace groma
