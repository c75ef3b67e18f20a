// The settings of one run, for rank 0.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/os/scheduling.hpp"
#include "common/wire/log_block.hpp"
#include "mpi/command/mpi_options.hpp"
#include "mpi/job/job_report.hpp"
#include "mpi/roles/role_plan.hpp"

namespace groma {

/// One run of an experiment.
struct JobRun {
    Experiment experiment;
    RolePlan roles;
    std::filesystem::path folder;                            ///< for its results; the run creates it
    JobLogTransport log_transport = JobLogTransport::local;  ///< not automatic
    bool local_logs = true;
    unsigned threads = 0;  ///< these three as in MpiOptions
    std::vector<unsigned> pin{};
    Realtime realtime = Realtime::off;
    std::size_t block_records = kMaxBlockRecords;  ///< records per block of a log
    Nanos wait = std::chrono::seconds(2);
    Nanos timeout = SessionTimes().silence;
    std::string run_id;
    SharedKey key{};  ///< of this run (job_key.hpp)
    /// Takes a line about the run's progress; may be empty.
    std::function<void(const std::string&)> show_progress;
    /// Takes the measurements so far, about once a second, in case the job is killed; may be empty.
    std::function<void(const JobReport&)> keep_so_far;
};

}  // namespace groma
