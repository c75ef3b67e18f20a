// The bins of LogHistogram: linear ones within each power of two. Pure functions; any thread.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace groma {

/// 2^kLinearBits bins in each power of two; each value below 2^(kLinearBits + 1) has a bin of its own.
inline constexpr int kLinearBits = 7;
inline constexpr std::uint64_t kBinsPerOctave = std::uint64_t{1} << kLinearBits;

/// The bin of a magnitude; ascends with it.
[[nodiscard]] inline std::size_t log_bin(std::uint64_t magnitude) noexcept {
    // Treats magnitudes below kBinsPerOctave as the octave above it, to avoid a branch.
    const int shift = static_cast<int>(std::bit_width(magnitude | kBinsPerOctave)) - 1 - kLinearBits;
    return static_cast<std::size_t>(static_cast<std::uint64_t>(shift) * kBinsPerOctave + (magnitude >> shift));
}

/// The smallest magnitude of a bin. Requires: it is below 2^63.
[[nodiscard]] inline std::int64_t lowest_of_bin(std::size_t index) noexcept {
    const std::uint64_t bin = index;
    if (bin < 2 * kBinsPerOctave) {
        return static_cast<std::int64_t>(bin);
    }
    const std::uint64_t shift = bin / kBinsPerOctave - 1;
    return static_cast<std::int64_t>((bin - shift * kBinsPerOctave) << shift);
}

/// The largest magnitude of a bin.
[[nodiscard]] inline std::int64_t highest_of_bin(std::size_t index) noexcept {
    return lowest_of_bin(index + 1) - 1;
}

}  // namespace groma
