// Delay variation around a running mean: MAPDV2 (ITU-T G.1020), which tells how a buffer for voice must be laid out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace groma {

/// The running mean starts with the first delay and moves by 1/16 of each packet's distance from it, after that packet
/// was compared. A constant offset between the clocks cancels.
class MapdvMeter {
public:
    /// In order of arrival; ns. Requires: within kLongestSpan.
    void add(std::span<const std::int64_t> delays);

    /// The mean distance of delays above the running mean plus that of those below. Empty without a second delay.
    [[nodiscard]] std::optional<double> mapdv2_ns() const;

private:
    std::int64_t origin_ = 0;  ///< the first delay
    std::uint64_t delays_ = 0;
    double mean_ = 0;  ///< running; less the first delay, as the sums
    double above_ = 0;
    double below_ = 0;
    std::uint64_t count_above_ = 0;
    std::uint64_t count_below_ = 0;
};

}  // namespace groma
