// The results of a run besides logs: its report, and the output of groma-dec and groma-plot.
#pragma once

#include "mpi/job/job_leader.hpp"
#include "mpi/job/job_report.hpp"

namespace groma {

struct WantedResults {
    bool sqlite = false;  ///< FOLDER/results.sqlite
    bool plots = false;   ///< FOLDER/plots; needs sqlite
    bool json = false;    ///< FOLDER/results.json
};

/// The folder with all logs of a run.
[[nodiscard]] std::filesystem::path logs_of(const JobReport& report, const JobRun& run);

/// Runs groma-dec and groma-plot as the user would. Failures become errors of the report.
void make_results(JobReport& report, const JobRun& run, WantedResults wanted);

/// Writes FOLDER/report.json during the run. Ignores errors: the final report has its own error handling.
void keep_report(const JobReport& report) noexcept;

/// Writes FOLDER/report.json and FOLDER/report.txt. Throws: SystemError.
void write_reports(const JobReport& report);

}  // namespace groma
