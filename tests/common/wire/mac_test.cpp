#include "common/wire/mac.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "tests/wiped.hpp"

namespace groma {
namespace {

// Key 00 01 ... 0f, input 00 01 02 ...: the vectors of the authors' reference implementation.
constexpr MacKey kReferenceKey{.low = 0x0706050403020100U, .high = 0x0f0e0d0c0b0a0908U};

std::vector<std::byte> counting(std::size_t size) {
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < size; ++i) {
        bytes.push_back(static_cast<std::byte>(i));
    }
    return bytes;
}

TEST(Mac, IsSipHash24) {
    EXPECT_EQ(mac_of(kReferenceKey, counting(0)), 0x726fdb47dd0e0e31U);
    EXPECT_EQ(mac_of(kReferenceKey, counting(1)), 0x74f839c593dc67fdU);
    EXPECT_EQ(mac_of(kReferenceKey, counting(8)), 0x93f5f5799a932462U);
    EXPECT_EQ(mac_of(kReferenceKey, counting(15)), 0xa129ca6149be45e5U);
}

TEST(Mac, DependsOnTheKey) {
    EXPECT_NE(mac_of(kReferenceKey, counting(15)),
              mac_of({.low = kReferenceKey.low, .high = kReferenceKey.high + 1}, counting(15)));
}

TEST(MacKey, IsWipedWhenItGoes) {
    EXPECT_EQ(left_by(MacKey(kReferenceKey)), (std::array<std::byte, sizeof(MacKey)>{}));
}

}  // namespace
}  // namespace groma
