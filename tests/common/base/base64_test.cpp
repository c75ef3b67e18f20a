#include "common/base/base64.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>

namespace groma {
namespace {

/// Of exactly these bytes: none is read after them.
std::string base64_of(std::string_view bytes) {
    const std::unique_ptr<std::byte[]> exact(new std::byte[bytes.size()]);
    std::ranges::copy(std::as_bytes(std::span(bytes)), exact.get());
    return base64({exact.get(), bytes.size()});
}

TEST(Base64, IsThatOfRfc4648) {
    const std::map<std::string_view, std::string> vectors = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
        {"\xfb\xff\xbf", "+/+/"},
    };
    for (const auto& [bytes, text] : vectors) {
        EXPECT_EQ(base64_of(bytes), text) << bytes;
        const auto back = bytes_of_base64(text);
        ASSERT_TRUE(back.has_value()) << text;
        EXPECT_TRUE(std::ranges::equal(*back, std::as_bytes(std::span(bytes)))) << text;
    }
}

TEST(Base64, OfNoBytesIsNotRead) {
    for (const std::string_view text :
         {"Z", "Zg", "Zg=", "====", "Zg==Zg==", "Z===", "=Zg=", "Zm9 ", "Zm9\n", "Zm9-", "Zm9\xff", "Zh==", "Zm9="}) {
        EXPECT_EQ(bytes_of_base64(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace groma
