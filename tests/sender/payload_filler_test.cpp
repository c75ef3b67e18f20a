#include "sender/payload_filler.hpp"

#include <gtest/gtest.h>

#include <array>

namespace groma {
namespace {

TEST(PayloadFiller, IsTheSameEveryTimeWhateverItsLength) {
    const std::vector<std::byte> longer = make_payload_filler(2000);
    const std::vector<std::byte> shorter = make_payload_filler(1000);
    EXPECT_EQ(shorter, std::vector<std::byte>(longer.begin(), longer.begin() + 1000));
}

TEST(PayloadFiller, UsesAllBytesAboutEquallySoThatNobodyCanCompressIt) {
    std::array<int, 256> count{};
    for (const std::byte byte : make_payload_filler(65536)) {
        ++count[std::to_integer<std::size_t>(byte)];
    }
    for (const int each : count) {
        EXPECT_GT(each, 256 / 2);
        EXPECT_LT(each, 256 * 2);
    }
}

}  // namespace
}  // namespace groma
