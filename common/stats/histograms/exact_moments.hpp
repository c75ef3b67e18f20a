// Mean and deviation of integers from exact sums: identical to the last bit in whatever order values are added and sums
// are merged.
#pragma once

#include <cstdint>
#include <span>

#include "common/base/int128.hpp"

namespace groma {

/// An integer of 192 bits: holds the sum of 2^64 squares of 63 bits each.
struct UInt192 {
    UInt128 low = 0;
    std::uint64_t high = 0;
};

/// Sums of the values' differences from the first one, and of their squares.
class ExactMoments {
public:
    /// Requires: values from -2^62 to 2^62.
    void add(std::int64_t value) noexcept {
        if (count_ == 0) {
            base_ = value;
        }
        const Int128 above = static_cast<Int128>(value) - base_;
        sum_ += above;
        const auto apart = static_cast<std::uint64_t>(above < 0 ? -above : above);
        add_squares(static_cast<UInt128>(apart) * apart);
        ++count_;
    }
    void add(std::int64_t value, std::uint64_t times) noexcept;
    /// Adds all values. Requires: at least one; `least` and `most` are their minimum and maximum.
    void add(std::span<const std::int64_t> values, std::int64_t least, std::int64_t most) noexcept;
    void merge(const ExactMoments& other) noexcept;

    [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
    /// 0 if empty.
    [[nodiscard]] double mean() const noexcept;
    /// Standard deviation of the sample (n - 1); 0 below two values.
    [[nodiscard]] double deviation() const noexcept;

private:
    void add_squares(UInt128 more) noexcept {
        squares_.high += static_cast<std::uint64_t>(__builtin_add_overflow(squares_.low, more, &squares_.low));
    }
    /// Sum of squares of the values' differences from `base_ + by`, at most 2^63 from base_.
    [[nodiscard]] UInt192 squares_above(Int128 by) const noexcept;

    UInt192 squares_;
    Int128 sum_ = 0;
    std::uint64_t count_ = 0;
    std::int64_t base_ = 0;
};

}  // namespace groma
