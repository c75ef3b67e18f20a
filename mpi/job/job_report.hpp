// The report of an MPI run: the merged reports of the senders, and the errors of ranks. Pure.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sender/report/run_report.hpp"
#include "sender/report/verdict.hpp"

namespace groma {

/// One sender's part.
struct SenderPart {
    int rank = 0;
    std::string name;  ///< "alpha"
    SendReport report;
    bool so_far = false;  ///< a report during the run: flows have only packets and bytes
};

struct JobReport {
    int ranks = 1;
    SendReport whole;  ///< all flows in the order of the experiment; the senders' logs and receivers are in the parts
    std::vector<SenderPart> parts;
    std::vector<std::string> errors;  ///< sentences, each names a rank
    bool interrupted = false;
    bool complete = false;                ///< all senders delivered their final reports
    std::filesystem::path folder;         ///< the run's results folder, at rank 0
    std::vector<std::string> log_places;  ///< sentences: places of logs that the parts do not name
};

/// Merges flows, receivers and facts of the parts. Requires: at least one part.
[[nodiscard]] SendReport merge_parts(const std::vector<SenderPart>& parts);

/// Why the run failed, a sentence each. Empty means exit status 0.
[[nodiscard]] std::vector<std::string> failures(const JobReport& report);

[[nodiscard]] std::string job_report_text(const JobReport& report);
/// One JSON object (docs/guide/mpi.md).
[[nodiscard]] std::string job_report_json(const JobReport& report);

}  // namespace groma
