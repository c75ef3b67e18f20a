// What the senders of a run have told about it, and the report that is made of it: at the end, and while they send.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>

#include "mpi/job/job_report.hpp"
#include "mpi/job/run_news.hpp"
#include "mpi/roles/run_folder.hpp"

namespace groma {

class RunTally {
public:
    struct Sources {
        JobRanks& ranks;
        const RunLayout& layout;
        RunNews& news;
        const RunFolder& folder;
        const JobRun& run;
    };
    /// All of the sources outlive the tally.
    explicit RunTally(Sources from) : from_(from) {}

    /// This rank was told to begin: it has a part in the report.
    void expect(int rank) { sending_.insert(rank); }
    [[nodiscard]] const std::set<int>& sending() const { return sending_; }
    /// Everybody has told the last thing.
    [[nodiscard]] bool all_sent() const;

    /// While senders send: hands what they have told so far to JobRun::keep_so_far, once a second. Whatever kills the
    /// job leaves the last of these.
    void keep_so_far();

    /// At the end of the run.
    [[nodiscard]] JobReport report();

private:
    [[nodiscard]] JobReport empty_report() const;
    void put_together(JobReport& report) const;
    [[nodiscard]] std::optional<nlohmann::json> last_word(int rank, const std::string& kind);
    void take_part(int rank, JobReport& report);
    void take_sent(int rank, const nlohmann::json& sent, JobReport& report);
    void take_unfinished(int rank, JobReport& report);
    void take_so_far(int rank, JobReport& report) const;

    Sources from_;
    std::set<int> sending_;
    std::map<int, nlohmann::json> so_far_;  ///< by sender: the latest
    MonoTime keep_next_{};
};

}  // namespace groma
