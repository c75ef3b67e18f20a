// The clock probes of a run, in bounded memory. When full, it keeps the faster of each two neighbours, so that the
// probes always cover the run evenly. Pure.
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

    /// Requires: probes in order of time.
    void add(const ProbeTimes& probe);

    [[nodiscard]] std::vector<ProbeTimes> take() const;

private:
    std::size_t most_;
    std::size_t window_ = 1;  ///< number of probes of which one is kept
    std::size_t seen_ = 0;    ///< in the current window
    std::optional<ProbeTimes> best_;
    std::vector<ProbeTimes> kept_;
};

}  // namespace groma
