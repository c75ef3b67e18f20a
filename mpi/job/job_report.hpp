// What a run of an MPI job has to report: the senders' reports put together, and what went wrong where. Pure.
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
    bool so_far = false;  ///< told while it was sending: of its flows there are packets and bytes only
};

struct JobReport {
    int ranks = 1;
    SendReport whole;  ///< all flows in the order of the experiment; the senders' logs and receivers are in the parts
    std::vector<SenderPart> parts;
    std::vector<std::string> errors;  ///< sentences about ranks, each naming one
    bool interrupted = false;
    bool complete = false;                ///< all senders told their reports at their ends
    std::filesystem::path folder;         ///< of the run's results, at rank 0
    std::vector<std::string> log_places;  ///< sentences: where logs are that are not named by the parts
};

/// All flows, receivers and facts of the parts. Requires: at least one part.
[[nodiscard]] SendReport merge_parts(const std::vector<SenderPart>& parts);

/// Why the run was no success, a sentence each. Empty means exit status 0.
[[nodiscard]] std::vector<std::string> failures(const JobReport& report);

[[nodiscard]] std::string job_report_text(const JobReport& report);
/// One JSON object (docs/guide/mpi.md).
[[nodiscard]] std::string job_report_json(const JobReport& report);

}  // namespace groma
