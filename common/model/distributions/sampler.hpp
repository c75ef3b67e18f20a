// Draws from a distribution: the family's own numbers, without the rules for gaps and sizes
// (common/model/flow/schedule.hpp). docs/reference/models.md has the formulas.
#pragma once

#include <cstdint>
#include <memory>

#include "common/model/distributions/distribution.hpp"

namespace groma {

/// Thread: one at a time. Draws do not allocate.
class Sampler {
public:
    /// Requires: parameter_error(distribution) is empty. The same distribution, seed and generator give the same draws.
    Sampler(const Distribution& distribution, std::uint64_t seed, Generator generator = Generator::unit_53);
    Sampler(Sampler&&) noexcept;
    Sampler& operator=(Sampler&&) noexcept;
    ~Sampler();

    /// Returns: the next draw, in the distribution's unit. Some families give negative, infinite and not-a-number
    /// values.
    [[nodiscard]] double draw() noexcept;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
