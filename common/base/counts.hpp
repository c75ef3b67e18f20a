// Sums of counts that a peer told, which may be any.
#pragma once

#include <algorithm>
#include <cstdint>

namespace groma {

/// SQLite and many readers of JSON have signed numbers of 64 bits.
inline constexpr std::uint64_t kLargestCount = INT64_MAX;

/// Adds a count; the sum ends at kLargestCount.
constexpr void add_count(std::uint64_t& sum, std::uint64_t count) {
    sum = std::min(sum, kLargestCount);
    sum += std::min(count, kLargestCount - sum);
}

}  // namespace groma
