#include "common/stats/histograms/exact_moments.hpp"

#include <algorithm>
#include <cmath>

#include "common/stats/histograms/stretches.hpp"

namespace groma {

namespace {

UInt128 as_word(Int128 value) {
    return static_cast<UInt128>(value);
}

UInt128 magnitude(Int128 value) {
    return value < 0 ? -as_word(value) : as_word(value);
}

// Arithmetic modulo 2^192: the final sum fits, even if intermediate ones do not.
UInt192 product(UInt128 one, std::uint64_t other) {
    const UInt128 upper = (one >> 64U) * other;
    UInt192 result{.low = 0, .high = static_cast<std::uint64_t>(upper >> 64U)};
    const bool carry = __builtin_add_overflow(static_cast<UInt128>(static_cast<std::uint64_t>(one)) * other,
                                              upper << 64U, &result.low);
    result.high += carry ? 1 : 0;
    return result;
}

UInt192 plus(UInt192 one, UInt192 other) {
    UInt192 result;
    const bool carry = __builtin_add_overflow(one.low, other.low, &result.low);
    result.high = one.high + other.high + (carry ? 1 : 0);
    return result;
}

UInt192 negative(UInt192 value) {
    return plus({.low = ~value.low, .high = ~value.high}, {.low = 1, .high = 0});
}

long double rounded(UInt192 value) {
    return static_cast<long double>(value.high) * 0x1p128L + static_cast<long double>(value.low);
}

/// Rounded towards minus infinity.
Int128 floor_of(Int128 numerator, std::uint64_t denominator) {
    const auto divisor = static_cast<Int128>(denominator);
    const Int128 quotient = numerator / divisor;
    return quotient * divisor > numerator ? quotient - 1 : quotient;
}

}  // namespace

void ExactMoments::add(std::int64_t value, std::uint64_t times) noexcept {
    if (times == 0) {
        return;
    }
    ExactMoments others;
    others.base_ = value;
    others.count_ = times;
    merge(others);
}

void ExactMoments::add(std::span<const std::int64_t> values, std::int64_t least, std::int64_t most) noexcept {
    base_ = count_ == 0 ? values.front() : base_;
    const Int128 farthest = std::max(Int128{most} - base_, Int128{base_} - least);
    if (farthest < kNear and values.size() < static_cast<std::size_t>(kNear)) {
        const NearSums near = near_sums_of(values, base_);
        sum_ += near.sum;
        add_squares(near.squares);
        count_ += values.size();
        return;
    }
    for (const std::int64_t value : values) {
        add(value);
    }
}

// The sum of squares of x - by from that of x: subtracts 2 by x, and adds by^2 for each.
UInt192 ExactMoments::squares_above(Int128 by) const noexcept {
    const auto distance = static_cast<std::uint64_t>(magnitude(by));
    const UInt192 once = product(magnitude(sum_), distance);
    const UInt192 twice = plus(once, once);
    const bool towards = (by < 0) == (sum_ < 0);
    return plus(plus(squares_, towards ? negative(twice) : twice),
                product(static_cast<UInt128>(distance) * distance, count_));
}

void ExactMoments::merge(const ExactMoments& other) noexcept {
    if (other.count_ == 0) {
        return;
    }
    if (count_ == 0) {
        *this = other;
        return;
    }
    const Int128 lower = static_cast<Int128>(base_) - other.base_;
    squares_ = plus(squares_, other.squares_above(lower));
    sum_ = static_cast<Int128>(as_word(sum_) + as_word(other.sum_) - as_word(lower) * other.count_);
    count_ += other.count_;
}

double ExactMoments::mean() const noexcept {
    if (count_ == 0) {
        return 0;
    }
    const Int128 floor = floor_of(sum_, count_);
    const auto rest = static_cast<std::uint64_t>(sum_ - floor * static_cast<Int128>(count_));
    return static_cast<double>(static_cast<Int128>(base_) + floor) +
           static_cast<double>(rest) / static_cast<double>(count_);
}

// Around the integer below the mean: the remaining sum is smaller than the number of values, and no digits are lost.
double ExactMoments::deviation() const noexcept {
    if (count_ < 2) {
        return 0;
    }
    const Int128 floor = floor_of(sum_, count_);
    const auto rest = static_cast<long double>(sum_ - floor * static_cast<Int128>(count_));
    const auto squares = rounded(squares_above(floor));
    const auto n = static_cast<long double>(count_);
    return static_cast<double>(std::sqrt(std::max((squares - rest * rest / n) / (n - 1), 0.0L)));
}

}  // namespace groma
