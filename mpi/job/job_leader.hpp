// Rank 0: leads all ranks through runs of experiments (phases: docs/guide/mpi.md). Thread: one.
#pragma once

#include <vector>

#include "mpi/job/job_ranks.hpp"
#include "mpi/job/job_run.hpp"

namespace groma {

class JobLeader {
public:
    /// `ranks` outlives the leader.
    explicit JobLeader(JobRanks& ranks) : ranks_(ranks) {}

    /// Receives the identity of every rank. Throws: RunError.
    void meet();
    [[nodiscard]] const std::vector<RankIdentity>& identities() const { return identities_; }

    /// Executes a complete run. The report contains errors of ranks, with the measurements up to then.
    /// Throws: RunError, SystemError if the run could not begin.
    [[nodiscard]] JobReport run(const JobRun& run);

    /// Whether the job got SIGINT or SIGTERM: start no further run.
    [[nodiscard]] bool interrupted() const { return ranks_.interrupted(); }

    /// Whether a rank did not end its part of a run in time: do not wait for it.
    [[nodiscard]] bool stuck() const { return stuck_; }

    /// Tells the other ranks to exit.
    void dismiss();

private:
    JobRanks& ranks_;
    std::vector<RankIdentity> identities_;
    bool stuck_ = false;
};

}  // namespace groma
