// One column of a block: n numbers of 64 bits, packed (docs/reference/log-format.md, "Columns"). Of the numbers, their
// differences and the differences of those, whichever is smallest is kept; what is constant costs nothing a value; the
// rest goes in groups of 128 as offsets from the group's least, each with just the bits that the largest one needs
// ("frame of reference": Lemire and Boytsov 2015, doi:10.1002/spe.2203). Arithmetic is modulo 2^64: every value
// survives. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/wire/byte_reader.hpp"

namespace groma {

inline constexpr std::size_t kPackedGroup = 128;

/// Appends the column to `out`; nothing when it has no values. The values are used as scratch space and are not the
/// same afterwards.
void pack_column(std::span<std::uint64_t> values, std::vector<std::byte>& out);

/// Fills `values` with the next column, which has that many; bytes that are no such column set the reader's error.
void unpack_column(ByteReader& in, std::span<std::uint64_t> values) noexcept;

}  // namespace groma
