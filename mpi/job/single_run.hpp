// Rank 0's part of one run under mpirun, from the options to the exit status.
#pragma once

#include "mpi/command/mpi_options.hpp"
#include "mpi/job/job_leader.hpp"

namespace groma {

/// Executes the run, prints the report, writes results. Returns: the exit status.
/// Throws: UsageError if the ranks do not fit the experiment; RunError, SystemError if the run could not begin.
[[nodiscard]] int run_once(JobLeader& leader, const MpiOptions& options);

/// Assigns roles to ranks and chooses the transport of logs, by the user's options or by the ranks. Throws: UsageError.
[[nodiscard]] JobRun plan_run(const Experiment& experiment, const MpiOptions& options,
                              const std::vector<RankIdentity>& ranks);

}  // namespace groma
