// Rank 0: leads all ranks through runs of experiments (docs/guide/mpi.md has the journey). Thread: one.
#pragma once

#include <vector>

#include "mpi/job/job_ranks.hpp"
#include "mpi/job/job_run.hpp"

namespace groma {

class JobLeader {
public:
    /// `ranks` outlives the leader.
    explicit JobLeader(JobRanks& ranks) : ranks_(ranks) {}

    /// Hears from every rank where it runs. Throws: RunError.
    void meet();
    [[nodiscard]] const std::vector<RankIdentity>& identities() const { return identities_; }

    /// Runs it from beginning to end. What goes wrong on a rank is in the report, with what was measured until then.
    /// Throws: RunError, SystemError when nothing could begin.
    [[nodiscard]] JobReport run(const JobRun& run);

    /// The job was told to end (SIGINT, SIGTERM): no further run makes sense.
    [[nodiscard]] bool interrupted() const { return ranks_.interrupted(); }

    /// A rank did not end its part of a run in time: it cannot be waited for.
    [[nodiscard]] bool stuck() const { return stuck_; }

    /// The other ranks leave.
    void dismiss();

private:
    JobRanks& ranks_;
    std::vector<RankIdentity> identities_;
    bool stuck_ = false;
};

}  // namespace groma
