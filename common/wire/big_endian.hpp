// Unsigned integers as bytes in network order, for any byte order and alignment of the host. Pure; the caller checks
// the size.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace groma {

/// Writes `value` to the first sizeof(value) bytes of `out`. Requires: out.size() >= sizeof(value).
template <std::unsigned_integral Integer>
constexpr void store_big_endian(std::span<std::byte> out, Integer value) noexcept {
    for (std::size_t i = sizeof(Integer); i > 0; --i) {
        out[i - 1] = static_cast<std::byte>(value & 0xFFU);
        value = static_cast<Integer>(value >> 4U >> 4U);  // in two steps: shifting a single byte by 8 is undefined
    }
}

/// Reads the first sizeof(Integer) bytes of `in`. Requires: in.size() >= sizeof(Integer).
template <std::unsigned_integral Integer>
[[nodiscard]] constexpr Integer load_big_endian(std::span<const std::byte> in) noexcept {
    Integer value = 0;
    for (std::size_t i = 0; i < sizeof(Integer); ++i) {
        value = static_cast<Integer>((value << 4U << 4U) | static_cast<Integer>(in[i]));
    }
    return value;
}

/// Requires: in.size() > place.
[[nodiscard]] constexpr std::uint8_t byte_at(std::span<const std::byte> in, std::size_t place) noexcept {
    return std::to_integer<std::uint8_t>(in[place]);
}

}  // namespace groma
