// How far a batch is and how long it will take, for one line on a terminal. Pure.
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
    /// `ahead`: the runs that are still to be done, in their order; `all`: how many there are with those done before.
    BatchProgress(std::vector<BatchRun> ahead, std::size_t all);

    void on_run_begun(const BatchRun& run, MonoTime now);
    void on_run_ended(MonoTime now);

    /// "run 6 of 12 (rate1000pps-size64-r1), 41 s, 1 min 2 s left". Requires: a run has begun.
    [[nodiscard]] std::string line(MonoTime now) const;

    /// Until the last run ends: the plan of those ahead, and what the runs so far took beyond theirs. Nothing
    /// when a run ahead has no planned end and none of its kind was done.
    [[nodiscard]] std::optional<Nanos> left(MonoTime now) const;

private:
    std::vector<BatchRun> ahead_;
    std::size_t all_;
    std::size_t next_ = 0;  ///< index in ahead_ of the run behind the current one
    std::optional<MonoTime> first_begun_;
    MonoTime begun_{};
    Nanos beyond_plan_{0};  ///< of all runs that have ended
    std::size_t ended_ = 0;
    bool running_ = false;
};

}  // namespace groma
