// What is computed of many values at once, by the widest vectors that the processor has. Pure functions; any thread.
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
/// Requires: there are values.
[[nodiscard]] Extent extent_of(std::span<const std::int64_t> values) noexcept;

/// Values are near each other when they are less than this apart: 2.1 s in nanoseconds.
inline constexpr std::int64_t kNear = std::int64_t{1} << 31;

/// Sums over a stretch of how much values are above `base`, and of the squares of that.
struct NearSums {
    std::int64_t sum = 0;
    UInt128 squares = 0;
};
/// Requires: all values are less than kNear away from `base`, and there are no more than 2^31 of them.
[[nodiscard]] NearSums near_sums_of(std::span<const std::int64_t> values, std::int64_t base) noexcept;

/// Puts the bins of the values (LogHistogram) to `bins`: those of values below 0 mirrored, -1 - bin. Requires: values
/// above -kNear and below kNear, and room for as many bins.
void near_bins_of(std::span<const std::int64_t> values, std::span<std::int16_t> bins) noexcept;

/// `differences[i]` becomes `values[i]` less the value before it, which is `before` for the first one; modulo 2^64.
/// Requires: as many.
void differences_of(std::span<const std::int64_t> values, std::int64_t before,
                    std::span<std::int64_t> differences) noexcept;

/// `differences[i]` becomes `later[i] - earlier[i] - by`; modulo 2^64. Requires: as many.
void differences_between(std::span<const std::int64_t> later, std::span<const std::int64_t> earlier, std::int64_t by,
                         std::span<std::int64_t> differences) noexcept;

/// How many of the first numbers follow each other without a gap: n, n + 1, ... (modulo 2^64). Requires: there are
/// some.
[[nodiscard]] std::size_t neighbours_at_front(std::span<const std::uint64_t> numbers) noexcept;

/// How many of the first numbers are the same. Requires: there are some.
[[nodiscard]] std::size_t equals_at_front(std::span<const std::uint64_t> numbers) noexcept;

/// Values become their magnitudes. Requires: none is -2^63.
void take_magnitudes(std::span<std::int64_t> values) noexcept;

/// `lower[i]` becomes `values[i] - by`; modulo 2^64. Requires: as many.
void lower_all(std::span<const std::int64_t> values, std::int64_t by, std::span<std::int64_t> lower) noexcept;

/// Exact.
[[nodiscard]] Int128 sum_of(std::span<const std::int64_t> values) noexcept;

/// How many are `limit` or less.
[[nodiscard]] std::uint64_t count_up_to(std::span<const std::int64_t> values, std::int64_t limit) noexcept;

}  // namespace groma
