// Brings the logs of ranks that do not see rank 0's disk into the folder of the run, over MPI, piece by piece.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "mpi/job/job_ranks.hpp"

namespace groma {

class LogFetcher {
public:
    /// `ranks` outlives this. `limit`: for an answer.
    LogFetcher(JobRanks& ranks, std::filesystem::path folder, Nanos limit)
        : ranks_(ranks), folder_(std::move(folder)), limit_(limit) {}

    /// All of a rank's logs. Throws: RunError, UsageError, SystemError.
    void fetch(int rank);

private:
    [[nodiscard]] nlohmann::json ask(int rank, const RankMessage& question, const std::string& kind);

    JobRanks& ranks_;
    std::filesystem::path folder_;
    Nanos limit_;
};

}  // namespace groma
