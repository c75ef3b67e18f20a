// What a run leaves in its folder besides logs: its report, and what groma-dec and groma-plot make of the logs.
#pragma once

#include "mpi/job/job_leader.hpp"
#include "mpi/job/job_report.hpp"

namespace groma {

struct WantedResults {
    bool sqlite = false;  ///< FOLDER/results.sqlite
    bool plots = false;   ///< FOLDER/plots; needs sqlite
    bool json = false;    ///< FOLDER/results.json
};

/// The folder that has all logs of a run.
[[nodiscard]] std::filesystem::path logs_of(const JobReport& report, const JobRun& run);

/// Runs groma-dec and groma-plot as the user would. What goes wrong becomes an error of the report.
void make_results(JobReport& report, const JobRun& run, WantedResults wanted);

/// FOLDER/report.json as long as the run goes on. What goes wrong is not said: the report at the end has its own say.
void keep_report(const JobReport& report) noexcept;

/// FOLDER/report.json and FOLDER/report.txt. Throws: SystemError.
void write_reports(const JobReport& report);

}  // namespace groma
