// How much the time of m gaps varies, for m of 1, 2, 4, ...: the index of dispersion for intervals, and the Allan
// deviation of a constant rate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace groma {

/// Of consecutive stretches of so many gaps.
struct GapScale {
    std::uint64_t gaps = 1;
    std::uint64_t stretches = 0;
    double mean_ns = 0;  ///< time of a stretch
    /// Variance (n - 1) of that time over gaps times the square of the mean gap [Cox and Lewis 1966, 4.2]: 1 whatever
    /// the number of gaps if packets are a Poisson process, and rising with it where short gaps come together. Empty if
    /// the mean gap is not above 0.
    std::optional<double> dispersion;
    /// sqrt(mean(D^2) / 2) / mean_ns, D being the difference of how much the lateness grew in neighbouring stretches
    /// [IEEE 1139, without overlap]. Of a constant rate.
    std::optional<double> allan_deviation;
};

/// Memory: 100 bytes for each power of 2 up to the number of gaps.
class GapScales {
public:
    static constexpr std::uint64_t kLeastStretches = 16;

    /// In the order in which packets left or arrived; ns.
    void add(std::int64_t time, std::int64_t lateness);
    /// The same for each. `lateness`: of each, or empty.
    void add(std::span<const std::int64_t> times, std::span<const std::int64_t> lateness);
    /// Between the packets before and the next ones, others are missing.
    void begin_anew();

    /// Those with kLeastStretches and more. `of_constant_rate`: with Allan deviations.
    [[nodiscard]] std::vector<GapScale> scales(bool of_constant_rate) const;

private:
    struct Level {
        // The last points: ends of stretches.
        std::uint8_t points = 0;
        std::int64_t time = 0;
        std::int64_t lateness = 0;
        double growth = 0;  ///< of the lateness, in the last stretch
        // Over stretches [Welford 1962].
        std::uint64_t stretches = 0;
        double mean = 0;     ///< time
        double squares = 0;  ///< of its distances from the mean
        std::uint64_t pairs = 0;
        double growth_squares = 0;  ///< of differences of growth

        void add(std::int64_t time_now, std::int64_t lateness_now);
    };

    [[nodiscard]] std::optional<double> dispersion(std::size_t level) const;

    std::vector<Level> levels_;    ///< of 1, 2, 4, ... gaps
    std::uint64_t points_ = 0;     ///< since the beginning of what has no packets missing
    std::int64_t start_time_ = 0;  ///< the first of those points
    std::int64_t start_lateness_ = 0;
};

}  // namespace groma
