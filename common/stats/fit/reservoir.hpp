// Keeps a random sample of the values of an observed process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace groma {

/// The clock's resolution: the largest of 1 ms, 1 us, 1 ns that divides all of these times; 1 ns for fewer than 20
/// different ones, which say nothing about the clock.
[[nodiscard]] double clock_resolution(const std::vector<std::int64_t>& times_ns);

/// Keeps at most a given number of values, each with the same probability [Vitter 1985, Algorithm R]. The same values
/// in the same order give the same choice.
class Reservoir {
public:
    explicit Reservoir(std::size_t most) : most_(most) {}

    void add(std::int64_t value);
    /// Lowers the limit; drops random values beyond it.
    void hold_to(std::size_t most);

    [[nodiscard]] std::uint64_t seen() const { return seen_; }
    /// Not in order.
    [[nodiscard]] const std::vector<std::int64_t>& values() const { return values_; }

private:
    /// A random number from 0 to below - 1.
    [[nodiscard]] std::uint64_t chance(std::uint64_t below);

    std::size_t most_;
    std::uint64_t seen_ = 0;
    std::uint64_t state_ = 0;
    std::vector<std::int64_t> values_;
};

}  // namespace groma
