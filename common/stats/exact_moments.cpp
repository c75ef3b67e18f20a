#include "common/stats/exact_moments.hpp"

#include <algorithm>
#include <cmath>

#include "common/stats/stretches.hpp"

namespace groma {

namespace {

constexpr long double kLargestSquares = 0x1p127L;

UInt128 as_word(Int128 value) {
    return static_cast<UInt128>(value);
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

// Arithmetic modulo 2^128: what the sum is in the end fits, whatever its parts do.
UInt128 ExactMoments::squares_above(Int128 by) const noexcept {
    return squares_ - as_word(2 * by) * as_word(sum_) + as_word(by) * as_word(by) * count_;
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
    const auto apart = static_cast<long double>(lower);
    const long double moved = static_cast<long double>(other.squares_) -
                              2 * apart * static_cast<long double>(other.sum_) +
                              apart * apart * static_cast<long double>(other.count_);
    overflowed_ = overflowed_ or other.overflowed_ or moved + static_cast<long double>(squares_) >= kLargestSquares;
    squares_ += other.squares_above(lower);
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

// Around the mean, to the next whole number below: what is left of the sum is less than the number of values, and no
// digits are lost.
double ExactMoments::deviation() const noexcept {
    if (count_ < 2) {
        return 0;
    }
    const Int128 floor = floor_of(sum_, count_);
    const auto rest = static_cast<long double>(sum_ - floor * static_cast<Int128>(count_));
    const auto squares = static_cast<long double>(squares_above(floor));
    const auto n = static_cast<long double>(count_);
    return static_cast<double>(std::sqrt(std::max((squares - rest * rest / n) / (n - 1), 0.0L)));
}

}  // namespace groma
