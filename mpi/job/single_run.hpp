// One run of an experiment under mpirun, from the options to the exit status, as rank 0 sees it.
#pragma once

#include "mpi/command/mpi_options.hpp"
#include "mpi/job/job_leader.hpp"

namespace groma {

/// Runs it, prints the report, writes results. Returns: the exit status.
/// Throws: UsageError when the ranks do not fit the experiment; RunError, SystemError when nothing could begin.
[[nodiscard]] int run_once(JobLeader& leader, const MpiOptions& options);

/// Which ranks do what, and how logs travel: what a user asked for, or what fits the ranks. Throws: UsageError.
[[nodiscard]] JobRun plan_run(const Experiment& experiment, const MpiOptions& options,
                              const std::vector<RankIdentity>& ranks);

}  // namespace groma
