// A point on a flow's time line with fractions of a nanosecond: billions of gaps add up without drift.
#pragma once

#include <compare>
#include <cstdint>

#include "common/time/instant.hpp"

namespace groma {

/// From 0 to 2^62 - 1 ns; saturates there.
class FineTime {
public:
    static constexpr std::int64_t kLastNs = (std::int64_t{1} << 62) - 1;

    constexpr FineTime() = default;
    /// Requires: 0 <= ns.
    constexpr explicit FineTime(Nanos ns) noexcept : ns_(ns.count() < kLastNs ? ns.count() : kLastNs) {}

    /// Requires: 0 <= ns <= 2^62.
    constexpr void add(double ns) noexcept {
        const auto whole = static_cast<std::int64_t>(ns);
        fraction_ += ns - static_cast<double>(whole);
        const std::int64_t carry = fraction_ >= 1.0 ? 1 : 0;
        fraction_ -= static_cast<double>(carry);
        const std::int64_t room = kLastNs - ns_;
        ns_ = whole + carry > room ? kLastNs : ns_ + whole + carry;
    }

    /// The sum, saturated.
    [[nodiscard]] friend constexpr FineTime operator+(FineTime a, FineTime b) noexcept {
        a.add(b.fraction_);
        a.ns_ = b.ns_ > kLastNs - a.ns_ ? kLastNs : a.ns_ + b.ns_;
        return a;
    }

    /// Nanoseconds from `start` to this; negative if this is before it.
    [[nodiscard]] constexpr double since(FineTime start) const noexcept {
        return static_cast<double>(ns_ - start.ns_) + (fraction_ - start.fraction_);
    }

    /// To the nearest nanosecond.
    [[nodiscard]] constexpr Nanos rounded() const noexcept { return Nanos{ns_ + (fraction_ >= 0.5 ? 1 : 0)}; }
    [[nodiscard]] constexpr bool at_end() const noexcept { return ns_ >= kLastNs; }

    auto operator<=>(const FineTime&) const = default;

private:
    std::int64_t ns_ = 0;
    double fraction_ = 0;  ///< in [0, 1)
};

}  // namespace groma
