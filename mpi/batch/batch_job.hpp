// A batch as one MPI job, from the options to the exit status, as rank 0 sees it.
#pragma once

#include <string>

#include "mpi/command/mpi_options.hpp"
#include "mpi/job/job_leader.hpp"

namespace groma {

/// Runs what is to be done of options.batch, prints a line for each run and the table at the end. Returns: the exit
/// status. Throws: UsageError when the ranks do not fit the experiment; RunError, SystemError when the folder cannot be
/// used.
[[nodiscard]] int run_batch_job(JobLeader& leader, const MpiOptions& options, Clock& clock);

/// The table of --list. Requires: options.batch.
[[nodiscard]] std::string batch_list_text(const MpiOptions& options);

}  // namespace groma
