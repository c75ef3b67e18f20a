#include "common/stats/histograms/stretches.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>

#include "common/base/vectorised.hpp"
#include "common/stats/histograms/log_bins.hpp"

namespace groma {

namespace {

GROMA_VECTORISED bool rise_by(std::span<const std::uint64_t> numbers, std::uint64_t step) noexcept {
    const std::uint64_t first = numbers[0];
    std::uint64_t different = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        different |= numbers[i] ^ (first + i * step);
    }
    return different == 0;
}

/// How many of the first numbers ascend in steps of `step`: usually all of them, otherwise often only a few.
std::size_t at_front(std::span<const std::uint64_t> numbers, std::uint64_t step) noexcept {
    constexpr std::size_t kFew = 8;
    const auto count_from = [&](std::size_t begin, std::size_t end) {
        while (begin < end and numbers[begin] == numbers[0] + begin * step) {
            ++begin;
        }
        return begin;
    };
    const std::size_t few = count_from(1, std::min(kFew, numbers.size()));
    if (few < kFew or rise_by(numbers, step)) {
        return few < kFew ? few : numbers.size();
    }
    return count_from(few, numbers.size());
}

}  // namespace

GROMA_VECTORISED Extent extent_of(std::span<const std::int64_t> values) noexcept {
    std::int64_t least = values[0];
    std::int64_t most = values[0];
    for (const std::int64_t value : values) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    return {least, most};
}

// Squares are below 2^62: sums their halves separately, so that no sum overflows.
GROMA_VECTORISED NearSums near_sums_of(std::span<const std::int64_t> values, std::int64_t base) noexcept {
    constexpr std::uint64_t kLowHalf = 0xffff'ffff;
    std::int64_t sum = 0;
    std::uint64_t low = 0;
    std::uint64_t high = 0;
    for (const std::int64_t value : values) {
        const std::int64_t above = static_cast<std::int32_t>(value - base);
        const auto square = static_cast<std::uint64_t>(above * above);
        sum += above;
        low += square & kLowHalf;
        high += square >> 32U;
    }
    return {sum, (static_cast<UInt128>(high) << 32U) + low};
}

// A float's exponent and first digits are the bin of a magnitude (log_bin), except below 2^kLinearBits. Clears lower
// digits, so that rounding to a float never carries into the first ones. Has no branches, which would prevent
// vectorisation.
GROMA_VECTORISED void near_bins_of(std::span<const std::int64_t> values, std::span<std::int16_t> bins) noexcept {
    constexpr int kMantissaBits = 23;
    constexpr int kExponentOfOne = 127;
    constexpr auto kOctave = static_cast<std::int32_t>(kBinsPerOctave);
    constexpr std::int32_t kFirst = (kExponentOfOne + kLinearBits - 1) * kOctave;
    const std::int64_t* const __restrict in = values.data();
    std::int16_t* const __restrict out = bins.data();
    const std::size_t count = values.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<std::int32_t>(in[i]);
        const std::int32_t below_zero = value >> 31;  // all bits, or none
        const std::int32_t magnitude = (value ^ below_zero) - below_zero;
        const std::int32_t cut = magnitude & ~(magnitude >> (kLinearBits + 1));
        const auto digits = std::bit_cast<std::int32_t>(static_cast<float>(cut));
        const std::int32_t bin = (digits >> (kMantissaBits - kLinearBits)) - kFirst;
        const std::int32_t small = (magnitude - kOctave) >> 31;
        out[i] = static_cast<std::int16_t>(((magnitude & small) | (bin & ~small)) ^ below_zero);
    }
}

GROMA_VECTORISED void differences_of(std::span<const std::int64_t> values, std::int64_t before,
                                     std::span<std::int64_t> differences) noexcept {
    if (values.empty()) {
        return;
    }
    std::int64_t* const out = differences.data();
    const auto less = [](std::int64_t a, std::int64_t b) {
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
    };
    out[0] = less(values[0], before);
    for (std::size_t i = 1; i < values.size(); ++i) {
        out[i] = less(values[i], values[i - 1]);
    }
}

GROMA_VECTORISED void differences_between(std::span<const std::int64_t> later, std::span<const std::int64_t> earlier,
                                          std::int64_t by, std::span<std::int64_t> differences) noexcept {
    std::int64_t* const out = differences.data();
    for (std::size_t i = 0; i < later.size(); ++i) {
        out[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(later[i]) -
                                           static_cast<std::uint64_t>(earlier[i]) - static_cast<std::uint64_t>(by));
    }
}

std::size_t neighbours_at_front(std::span<const std::uint64_t> numbers) noexcept {
    return at_front(numbers, 1);
}

std::size_t equals_at_front(std::span<const std::uint64_t> numbers) noexcept {
    return at_front(numbers, 0);
}

GROMA_VECTORISED void take_magnitudes(std::span<std::int64_t> values) noexcept {
    for (std::int64_t& value : values) {
        value = std::abs(value);
    }
}

GROMA_VECTORISED void lower_all(std::span<const std::int64_t> values, std::int64_t by,
                                std::span<std::int64_t> lower) noexcept {
    std::int64_t* const out = lower.data();
    for (std::size_t i = 0; i < values.size(); ++i) {
        out[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(values[i]) - static_cast<std::uint64_t>(by));
    }
}

// Sums halves separately, so that no sum overflows.
GROMA_VECTORISED Int128 sum_of(std::span<const std::int64_t> values) noexcept {
    constexpr std::int64_t kLowHalf = 0xffff'ffff;
    Int128 sum = 0;
    while (not values.empty()) {
        const auto some = values.first(std::min<std::size_t>(values.size(), std::size_t{1} << 30U));
        std::int64_t low = 0;
        std::int64_t high = 0;
        for (const std::int64_t value : some) {
            low += value & kLowHalf;
            high += value >> 32U;
        }
        sum += (static_cast<Int128>(high) * (Int128{1} << 32U)) + low;
        values = values.subspan(some.size());
    }
    return sum;
}

GROMA_VECTORISED std::uint64_t count_up_to(std::span<const std::int64_t> values, std::int64_t limit) noexcept {
    std::uint64_t count = 0;
    for (const std::int64_t value : values) {
        count += value <= limit ? 1 : 0;
    }
    return count;
}

}  // namespace groma
