// Operations on many values at once, with the processor's widest vectors. Pure functions; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/base/int128.hpp"

namespace groma {

struct Extent {
    std::int64_t least = 0;
    std::int64_t most = 0;
};
/// Requires: at least one value.
[[nodiscard]] Extent extent_of(std::span<const std::int64_t> values) noexcept;

/// Values are near each other if they are less than this apart: 2.1 s in nanoseconds.
inline constexpr std::int64_t kNear = std::int64_t{1} << 31;

/// Sums of the values' differences from `base`, and of their squares.
struct NearSums {
    std::int64_t sum = 0;
    UInt128 squares = 0;
};
/// Requires: all values are less than kNear away from `base`, and there are at most 2^31 of them.
[[nodiscard]] NearSums near_sums_of(std::span<const std::int64_t> values, std::int64_t base) noexcept;

/// Writes the values' bins (LogHistogram) to `bins`; for values below 0 mirrored, -1 - bin. Requires: values above
/// -kNear and below kNear, and equal sizes.
void near_bins_of(std::span<const std::int64_t> values, std::span<std::int16_t> bins) noexcept;

/// `differences[i]` becomes `values[i]` minus the value before it (`before` for the first one), modulo 2^64. Requires:
/// equal sizes.
void differences_of(std::span<const std::int64_t> values, std::int64_t before,
                    std::span<std::int64_t> differences) noexcept;

/// `differences[i]` becomes `later[i] - earlier[i] - by`, modulo 2^64. Requires: equal sizes.
void differences_between(std::span<const std::int64_t> later, std::span<const std::int64_t> earlier, std::int64_t by,
                         std::span<std::int64_t> differences) noexcept;

/// How many of the first numbers are consecutive: n, n + 1, ... (modulo 2^64). Requires: at least one.
[[nodiscard]] std::size_t neighbours_at_front(std::span<const std::uint64_t> numbers) noexcept;

/// How many of the first numbers are equal. Requires: at least one.
[[nodiscard]] std::size_t equals_at_front(std::span<const std::uint64_t> numbers) noexcept;

/// Replaces values by their magnitudes. Requires: none is -2^63.
void take_magnitudes(std::span<std::int64_t> values) noexcept;

/// `lower[i]` becomes `values[i] - by`, modulo 2^64. Requires: equal sizes.
void lower_all(std::span<const std::int64_t> values, std::int64_t by, std::span<std::int64_t> lower) noexcept;

/// Exact.
[[nodiscard]] Int128 sum_of(std::span<const std::int64_t> values) noexcept;

/// How many are `limit` or less.
[[nodiscard]] std::uint64_t count_up_to(std::span<const std::int64_t> values, std::int64_t limit) noexcept;

}  // namespace groma
