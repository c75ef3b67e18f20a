#include "decoder/files/base64.hpp"

#include <gtest/gtest.h>

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
    }
}

}  // namespace
}  // namespace groma
