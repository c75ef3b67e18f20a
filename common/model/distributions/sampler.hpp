// Draws from a distribution: the numbers as the family has them, without the rules for gaps and sizes (common/model/
// schedule.hpp). The formulas stand in docs/reference/models.md.
#pragma once

#include <cstdint>
#include <memory>

#include "common/model/distributions/distribution.hpp"

namespace groma {

/// Not safe to share between threads; draws do not allocate.
class Sampler {
public:
    /// Requires: parameter_error(distribution) is empty. The same distribution and seed give the same draws.
    Sampler(const Distribution& distribution, std::uint64_t seed);
    Sampler(Sampler&&) noexcept;
    Sampler& operator=(Sampler&&) noexcept;
    ~Sampler();

    /// Returns: the next draw, in the distribution's unit. Negative, infinite and not-a-number values can occur in the
    /// families that have them or overflow.
    [[nodiscard]] double draw() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
