// Looks at a log server's catalogue and logs for its page, on a thread of its own: groma-dec and groma-plot read the
// logs, at the lowest priority.
#pragma once

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/os/child_process.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/page/run_board.hpp"
#include "common/time/clock.hpp"
#include "logserver/page/experiment_files.hpp"
#include "logserver/page/live_rows.hpp"
#include "logserver/store/log_catalogue.hpp"

namespace groma {

class ExperimentWatch {
public:
    /// Begins. Board, files and clock outlive it. `say`: a line for the operator; called on the thread. Throws:
    /// SystemError.
    ExperimentWatch(std::filesystem::path directory, RunBoard& board, ExperimentFiles& files, Clock& clock,
                    std::function<void(const std::string&)> say);
    ExperimentWatch(const ExperimentWatch&) = delete;
    ExperimentWatch& operator=(const ExperimentWatch&) = delete;
    /// Ends what it has started.
    ~ExperimentWatch();

private:
    struct Experiment {
        RunNumber number = 0;
        bool writing = true;
        std::map<std::string, std::string> states;  ///< of its logs, by name
        std::vector<BoardFile> logs;
        std::vector<std::filesystem::path> log_files;
        std::unique_ptr<RunningChild> follower;
        std::string said;  ///< the line that has not come to its end
        LiveRows rows;
        std::optional<MonoTime> over_since{};  ///< its logs are; its follower may have more to say
    };
    struct Work {
        std::string experiment;
        std::unique_ptr<TemporaryFolder> folder;
        std::unique_ptr<RunningChild> child;
        std::string said;
        bool draws = false;  ///< pictures, after the report
    };

    void run();
    void look();
    /// `decodes`: it is to have a report when it is over.
    void look_at(const std::string& name, const std::vector<CatalogueEntry>& logs, bool decodes);
    void begin(const std::string& name, const std::vector<CatalogueEntry>& logs);
    void add_new_logs(Experiment& experiment, const std::vector<CatalogueEntry>& logs);
    void follow(Experiment& experiment);
    /// Returns: whether it says no more.
    [[nodiscard]] bool hear(Experiment& experiment);
    void end(const std::string& name, Experiment& experiment, bool decodes);
    void end_without_report(const Experiment& experiment);
    void work();
    void finish_work();
    [[nodiscard]] bool stops();

    std::filesystem::path directory_;
    RunBoard& board_;
    ExperimentFiles& files_;
    Clock& clock_;
    std::function<void(const std::string&)> say_;
    bool decodes_ = true;  ///< groma-dec is there
    LogCatalogue catalogue_;
    std::map<std::string, Experiment> experiments_;
    std::list<std::string> ended_;  ///< without a report yet, the oldest first
    std::optional<Work> work_;
    std::list<std::unique_ptr<TemporaryFolder>> results_;  ///< the oldest first
    std::mutex mutex_;
    std::condition_variable stopping_;
    bool stopped_ = false;
    std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace groma
