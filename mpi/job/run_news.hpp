// Collects the failures of a run's ranks, and waits for their answers; a failure ends the wait.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "mpi/job/job_ranks.hpp"
#include "mpi/job/run_layout.hpp"

namespace groma {

class RunNews {
public:
    /// Both outlive this object.
    RunNews(JobRanks& ranks, const RunLayout& layout) : ranks_(ranks), layout_(layout) {}

    /// Adds an error of a rank.
    void error(int rank, const std::string& what);
    /// Sentences, each names a rank.
    [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }
    /// Takes the ranks' reports of failures. Until expect_ends(), the end of a receiver or log server is a failure.
    void hear_failures();
    void expect_ends() { ends_expected_ = true; }

    /// Waits for a message from each of the ranks; ends early on a failure. Returns: whether all arrived.
    bool await_all(const std::set<int>& from, const std::string& kind, Nanos limit);
    /// Waits for the end of ranks, despite failures. A rank that does not end is stuck.
    void await_end(const std::set<int>& from, const std::string& kind, JobRanks::Patience patience);
    /// Call after a failure: waits for related reports of other ranks.
    void await_more();

    /// Whether a rank did not end in time.
    [[nodiscard]] bool stuck() const { return stuck_; }

private:
    [[nodiscard]] bool all_have_said(const std::set<int>& from, const std::string& kind) const;

    JobRanks& ranks_;
    const RunLayout& layout_;
    std::vector<std::string> errors_;
    bool ends_expected_ = false;
    bool stuck_ = false;
};

}  // namespace groma
