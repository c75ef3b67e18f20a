#include "common/base/utf8.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace groma {
namespace {

TEST(Utf8, CharactersAreTakenOneByOne) {
    const std::map<std::string, char32_t> characters = {
        {"a", U'a'},
        {"\x7f", 0x7f},
        {"\xc2\x80", 0x80},
        {"\xdf\xbf", 0x7ff},
        {"\xe0\xa0\x80", 0x800},
        {"\xed\x9f\xbf", 0xd7ff},
        {"\xee\x80\x80", 0xe000},
        {"\xef\xbf\xbf", 0xffff},
        {"\xf0\x90\x80\x80", 0x10000},
        {"\xf4\x8f\xbf\xbf", 0x10ffff},
    };
    for (const auto& [bytes, code] : characters) {
        const Utf8Character one = first_character(bytes + "and more");
        EXPECT_EQ(one.code, code) << bytes;
        EXPECT_EQ(one.bytes, bytes.size()) << bytes;
        for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
            EXPECT_FALSE(is_utf8(bytes.substr(0, cut))) << bytes;
        }
    }
}

TEST(Utf8, HasNoSurrogatesNorOverlongFormsNorNumbersBeyondUnicode) {
    for (const char* bytes :
         {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc2z", "\xe0\x9f\xbf", "\xe2\x82z", "\xed\xa0\x80", "\xed\xbf\xbf",
          "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
        EXPECT_EQ(first_character(bytes).bytes, 0U);
        EXPECT_EQ(first_character(bytes).code, 0U);
        EXPECT_FALSE(is_utf8(std::string("text ") + bytes));
    }
    EXPECT_TRUE(is_utf8(""));
    EXPECT_TRUE(is_utf8("m\xc3\xbcnchen"));
}

}  // namespace
}  // namespace groma
