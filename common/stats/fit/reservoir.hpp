// What is kept of the values of a process that is observed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace groma {

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
