// Delay variation of packets in order of arrival, by the two definitions in use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>

#include "common/base/int128.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// With D(i) the delay of the i-th packet to arrive minus that of the one before it:
/// - as D-ITG has it: the mean of |D(i)|;
/// - RFC 3550, section 6.4.1 and A.8: J += (|D(i)| - J) / 16, from J = 0.
/// A constant offset between the clocks cancels. Packet path.
class JitterMeter {
public:
    /// `delay` of the next packet to arrive, on any clocks that do not change meanwhile. Requires: within kLongestSpan.
    /// Returns: |D(i)|; empty for the first packet.
    std::optional<Nanos> add(Nanos delay) noexcept {
        const std::optional<Nanos> before = before_;
        before_ = delay;
        if (not before) {
            return std::nullopt;
        }
        const Nanos change = std::chrono::abs(delay - *before);
        ++differences_;
        sum_ns_ += change.count();
        rfc3550_ns_ += (static_cast<double>(change.count()) - rfc3550_ns_) / 16;
        rfc3550_max_ns_ = std::max(rfc3550_max_ns_, rfc3550_ns_);
        return change;
    }

    /// For all these packets. Writes the |D(i)| of each to `changes_ns`; 0 for the very first packet. Requires: equal
    /// sizes.
    void add(std::span<const std::int64_t> delays_ns, std::span<std::int64_t> changes_ns) noexcept;

    [[nodiscard]] std::uint64_t differences() const { return differences_; }
    [[nodiscard]] double ditg_ns() const;  ///< 0 below two packets
    [[nodiscard]] double rfc3550_ns() const { return rfc3550_ns_; }
    [[nodiscard]] double rfc3550_max_ns() const { return rfc3550_max_ns_; }
    /// The mean of J(i) from the second packet on; 0 below two packets.
    [[nodiscard]] double rfc3550_mean_ns() const;

private:
    void smooth(std::span<const std::int64_t> changes_ns) noexcept;

    std::optional<Nanos> before_;
    std::uint64_t differences_ = 0;
    Int128 sum_ns_ = 0;  ///< of |D(i)|
    double rfc3550_ns_ = 0;
    double rfc3550_max_ns_ = 0;
};

}  // namespace groma
