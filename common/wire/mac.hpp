// A message authentication code: SipHash-2-4 (Aumasson and Bernstein, 2012), 8 bytes. Without the key one can neither
// make a valid code nor learn the key from codes. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/base/token.hpp"

namespace groma {

struct MacKey {
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    bool operator==(const MacKey&) const = default;
};

inline constexpr std::size_t kMacBytes = 8;

/// The key of these bytes, as the paper has it.
[[nodiscard]] MacKey mac_key(const Token& bytes) noexcept;

[[nodiscard]] std::uint64_t mac_of(const MacKey& key, std::span<const std::byte> bytes) noexcept;

}  // namespace groma
