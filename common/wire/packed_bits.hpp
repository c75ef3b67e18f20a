// Numbers as offsets of a fixed number of bits from their minimum, the lowest bit first ("frame of reference": Lemire
// and Boytsov 2015, doi:10.1002/spe.2203): the groups of a packed column (packed_column.hpp). Pure functions; any
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace groma {

/// The values are `minimum` plus offsets of `width` bits, modulo 2^64.
struct PackedFrame {
    std::uint64_t minimum = 0;
    unsigned width = 0;
};

/// In bytes; the bits of the last one may not all be used.
constexpr std::size_t packed_size(std::size_t values, unsigned width) noexcept {
    return (values * width + 7) / 8;
}

/// Fills the unused bits with zeros. Requires: out has packed_size() bytes; all offsets fit the width, which is at most
/// 64.
void pack_bits(std::span<const std::uint64_t> values, PackedFrame frame, std::span<std::byte> out) noexcept;

/// `bytes` may continue after the packed values; then all words can be read at once. Requires: bytes has at least
/// packed_size() bytes; the width is at most 64.
void unpack_bits(std::span<const std::byte> bytes, PackedFrame frame, std::span<std::uint64_t> values) noexcept;

}  // namespace groma
