#include "common/base/token.hpp"

#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

TEST(Token, IsReadFrom32DigitsOnly) {
    EXPECT_EQ(to_hex(token_from_hex("00112233445566778899aabbccddeeff")), "00112233445566778899aabbccddeeff");
    for (const std::string& text : {std::string(), std::string(31, '0'), std::string(31, '0') + 'F'}) {
        EXPECT_FALSE(is_token(text)) << text;
        EXPECT_THROW((void)token_from_hex(text), UsageError) << text;
    }
}

TEST(Token, IsTheSameOnlyWhenEveryByteIs) {
    const Token token = token_from_hex("00112233445566778899aabbccddeeff");
    EXPECT_TRUE(same_token(token, token));
    for (std::size_t i = 0; i < token.size(); ++i) {
        Token other = token;
        other[i] ^= std::byte{1};
        EXPECT_FALSE(same_token(token, other)) << i;
    }
}

}  // namespace
}  // namespace groma
