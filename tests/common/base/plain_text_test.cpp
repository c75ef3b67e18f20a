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

TEST(PlainText, ShowsCharactersThatTurnTheDirectionOfWritingOrEndALine) {
    EXPECT_EQ(plain_text("a\u202eb"), "a\\xe2\\x80\\xaeb");
    for (const char* obeyed : {"\xc2\x80", "\xc2\x9f", "\u061c", "\u200e", "\u200f", "\u2028", "\u2029", "\u202a",
                               "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"}) {
        EXPECT_EQ(plain_text(obeyed).substr(0, 2), "\\x");
    }
    for (const char* shown : {"שלום", "سلام", "\u00a0", "\u200d", "\u2027", "\u202f", "\u2065", "\u206a", "😀"}) {
        EXPECT_EQ(plain_text(shown), shown);
    }
}

TEST(PlainText, ShowsBytesThatFormNoCharacter) {
    EXPECT_EQ(plain_text("ü\xfc"), "ü\\xfc");
    EXPECT_EQ(plain_text("\xe2\x80"), "\\xe2\\x80");
    EXPECT_EQ(plain_text("\xc0\x9b"), "\\xc0\\x9b");
    EXPECT_EQ(plain_text("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");
    EXPECT_EQ(plain_text("\xed\xa0\x80"), "\\xed\\xa0\\x80");
    EXPECT_EQ(plain_text("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(PlainText, OfSeveralLinesKeepsThem) {
    EXPECT_EQ(plain_lines("a\r\n\n\x1b"
                          "b\nc"),
              "a\\x0d\n\n\\x1bb\nc");
    EXPECT_EQ(plain_lines("a\n"), "a\n");
    EXPECT_EQ(plain_lines(""), "");
}

TEST(PlainText, CutsALongTextBetweenCharactersAndSaysSo) {
    EXPECT_EQ(plain_text("abcdef", 3), "abc...");
    EXPECT_EQ(plain_text("abc", 3), "abc");
    EXPECT_EQ(plain_text("aaü", 3), "aa...");
    EXPECT_EQ(plain_text("aaü", 4), "aaü");
}

}  // namespace
}  // namespace groma
