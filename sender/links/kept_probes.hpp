// The clock probes that are taken while a run goes on, as many as memory is given for: when there are too many, the
// faster one of each two neighbours is kept, again and again, so that they cover the whole run evenly. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "common/stats/clock/clock_fit.hpp"

namespace groma {

class KeptProbes {
public:
    /// Requires: most >= 2.
    explicit KeptProbes(std::size_t most = 3600);

    /// In the order in which they were taken.
    void add(const ProbeTimes& probe);

    [[nodiscard]] std::vector<ProbeTimes> take() const;

private:
    std::size_t most_;
    std::size_t window_ = 1;  ///< probes of which one is kept
    std::size_t seen_ = 0;    ///< of the window at hand
    std::optional<ProbeTimes> best_;
    std::vector<ProbeTimes> kept_;
};

}  // namespace groma
