// Types for quantities that must not be confused: bytes, bit rates and packet rates. Plain numbers only at interfaces
// to the outside.
#pragma once

#include <compare>
#include <cstdint>

namespace groma {

/// A number of bytes.
struct Bytes {
    std::uint64_t count = 0;

    auto operator<=>(const Bytes&) const = default;
    constexpr Bytes& operator+=(Bytes other) {
        count += other.count;
        return *this;
    }
    friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes{a.count + b.count}; }
};

/// Bits per second.
struct BitRate {
    double bps = 0;

    auto operator<=>(const BitRate&) const = default;
};

/// Packets per second.
struct PacketRate {
    double pps = 0;

    auto operator<=>(const PacketRate&) const = default;
};

}  // namespace groma
