// The progress line of a batch with the remaining time. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/model/experiment/batch.hpp"
#include "common/time/instant.hpp"

namespace groma {

class BatchProgress {
public:
    /// `ahead`: the remaining runs in order; `all`: the number of all runs, including completed ones.
    BatchProgress(std::vector<BatchRun> ahead, std::size_t all);

    void on_run_begun(const BatchRun& run, MonoTime now);
    void on_run_ended(MonoTime now);

    /// "run 6 of 12 (rate1000pps-size64-r1), 41 s, 1 min 2 s left". Requires: a run has begun.
    [[nodiscard]] std::string line(MonoTime now) const;

    /// Estimated time until the last run ends: the planned time of the remaining runs plus the overhead measured so
    /// far. Empty if a remaining run has no planned end and no similar run is done.
    [[nodiscard]] std::optional<Nanos> left(MonoTime now) const;

private:
    std::vector<BatchRun> ahead_;
    std::size_t all_;
    std::size_t next_ = 0;  ///< index in ahead_ of the run after the current one
    std::optional<MonoTime> first_begun_;
    MonoTime begun_{};
    Nanos beyond_plan_{0};  ///< sum over all ended runs
    std::size_t ended_ = 0;
    bool running_ = false;
};

}  // namespace groma
