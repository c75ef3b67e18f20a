// Values that were observed, in the order of their size: what distributions are fitted to and compared with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace groma {

/// Each value once, rising, with how often it was seen. Values are whole multiples of `resolution`: nanoseconds of a
/// clock that may tell only microseconds apart, or bytes.
struct Sample {
    std::vector<double> values;
    std::vector<std::uint64_t> counts;  ///< as many as values
    std::uint64_t total = 0;            ///< of all counts
    double resolution = 1;

    /// Returns: the smallest value that at least so large a share of all do not exceed. Requires: total > 0.
    [[nodiscard]] double quantile(double probability) const;
    [[nodiscard]] double mean() const;
    /// `values[i]` for a family that has no 0: half of what the resolution tells apart in its place.
    [[nodiscard]] double positive(std::size_t i) const { return values[i] > 0 ? values[i] : resolution / 2; }
};

/// Requires: no negative values.
[[nodiscard]] Sample make_sample(std::vector<std::int64_t> values, double resolution = 1);

/// What a clock told apart: the largest of 1 ms, 1 us, 1 ns that all of these times are multiples of; 1 ns of fewer
/// than 20 different ones, which say nothing of the clock.
[[nodiscard]] double clock_resolution(const std::vector<std::int64_t>& times_ns);

/// At most so many of the values that were handed over, each with the same chance [Vitter 1985, Algorithm R]. The same
/// values in the same order give the same choice.
class Reservoir {
public:
    explicit Reservoir(std::size_t most) : most_(most) {}

    void add(std::int64_t value);
    /// From now on no more than so many; those beyond are let go, by chance.
    void hold_to(std::size_t most);

    [[nodiscard]] std::uint64_t seen() const { return seen_; }
    /// In no order.
    [[nodiscard]] const std::vector<std::int64_t>& values() const { return values_; }

private:
    /// A number from 0 to below - 1.
    [[nodiscard]] std::uint64_t chance(std::uint64_t below);

    std::size_t most_;
    std::uint64_t seen_ = 0;
    std::uint64_t state_ = 0;
    std::vector<std::int64_t> values_;
};

}  // namespace groma
