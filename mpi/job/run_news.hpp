// What goes wrong on the ranks of a run, and waiting for their answers, which ends when something has.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "mpi/job/job_ranks.hpp"
#include "mpi/job/run_layout.hpp"

namespace groma {

class RunNews {
public:
    /// Both outlive this.
    RunNews(JobRanks& ranks, const RunLayout& layout) : ranks_(ranks), layout_(layout) {}

    /// Something went wrong on a rank.
    void error(int rank, const std::string& what);
    /// Sentences, each naming a rank.
    [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }
    /// Takes what ranks have said about failures. Receivers and log servers that end fail, until expect_ends().
    void hear_failures();
    void expect_ends() { ends_expected_ = true; }

    /// Waits for something from each of the ranks; ends early when anything fails. Returns: whether it came.
    bool await_all(const std::set<int>& from, const std::string& kind, Nanos limit);
    /// Waits for the end of something, whatever else has happened. Who does not end is stuck.
    void await_end(const std::set<int>& from, const std::string& kind, JobRanks::Patience patience);
    /// Once something has failed: others may have something to say about it.
    void await_more();

    /// A rank did not end in time.
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
