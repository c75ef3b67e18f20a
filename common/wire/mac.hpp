// A message authentication code: SipHash-2-4 (Aumasson and Bernstein, 2012), 8 bytes. Without the key one can neither
// make a valid code nor learn the key from codes. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "common/base/token.hpp"
#include "common/base/wipe.hpp"

namespace groma {

/// Wiped when it goes.
struct MacKey {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    constexpr ~MacKey() {
        if (not std::is_constant_evaluated()) {
            wipe(std::as_writable_bytes(std::span(this, 1)));
        }
    }
    bool operator==(const MacKey&) const = default;
};

inline constexpr std::size_t kMacBytes = 8;

/// The key of these bytes, as the paper has it.
[[nodiscard]] MacKey mac_key(const Token& bytes) noexcept;

[[nodiscard]] std::uint64_t mac_of(const MacKey& key, std::span<const std::byte> bytes) noexcept;

}  // namespace groma
