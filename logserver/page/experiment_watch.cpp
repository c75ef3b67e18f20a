#include "logserver/page/experiment_watch.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/own_program.hpp"
#include "common/os/process.hpp"
#include "logserver/commands/stored_logs.hpp"
#include "logserver/store/log_directory.hpp"
#include "logserver/store/log_file.hpp"

namespace groma {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{500};
constexpr Nanos kLastWords = std::chrono::seconds(10);  // of a follower whose logs are over
constexpr std::size_t kMostFollowed = 8;
constexpr std::size_t kMostResults = 32;
constexpr std::size_t kMostLogsRead = 256;             // of one experiment
constexpr std::size_t kLongestLine = 16 << 10;         // of a follower
constexpr std::uintmax_t kLargestReport = 16U << 20U;  // of JSON that the page has in memory
constexpr const char* kLongestWork = "600";            // s, of a report, and as long for pictures
constexpr const char* kNoDecoder =
    "groma-dec is not installed on the log server's host: there are no rates while logs grow, no report and no "
    "pictures.";

/// At the lowest priority, for a limited time (nice(1), timeout(1)).
std::vector<std::string> in_background(std::vector<std::string> command) {
    command.insert(command.begin(), {"nice", "-n", "19", "timeout", kLongestWork});
    return command;
}

bool has_decoder() {
    try {
        return run_child({own_program("groma-dec"), "--version"}, "").status == 0;
    } catch (const SystemError&) {
        return false;
    }
}

/// Of the catalogue: "2026-11-22 01:02:03", UTC.
WallTime time_of(const std::string& text) {
    std::istringstream in(text);
    int year = 0;
    int month = 0;
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
    char between = 0;
    in >> year >> between >> month >> between >> day >> hour >> between >> minute >> between >> second;
    if (not in) {
        return {};
    }
    const std::chrono::sys_days date{std::chrono::year{year} /
                                     std::chrono::month{static_cast<unsigned>(std::abs(month))} /
                                     std::chrono::day{static_cast<unsigned>(std::abs(day))}};
    return WallTime(date.time_since_epoch() + std::chrono::hours(hour) + std::chrono::minutes(minute) +
                    std::chrono::seconds(second));
}

/// Empty: it is not there, or too large for a page.
std::string text_in(const std::filesystem::path& file) {
    std::error_code unknown;
    const std::uintmax_t bytes = std::filesystem::file_size(file, unknown);
    if (unknown or bytes > kLargestReport) {
        return {};
    }
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::string end_in_words(const std::map<std::string, std::string>& states) {
    const auto incomplete = std::ranges::find_if(states, [](const auto& log) { return log.second != "complete"; });
    return incomplete == states.end() ? "complete" : plain_text(incomplete->first + ": " + incomplete->second);
}

}  // namespace

ExperimentWatch::ExperimentWatch(std::filesystem::path directory, RunBoard& board, ExperimentFiles& files, Clock& clock,
                                 std::function<void(const std::string&)> say)
    : directory_(std::move(directory)),
      board_(board),
      files_(files),
      clock_(clock),
      say_(std::move(say)),
      decodes_(has_decoder()),
      catalogue_(directory_, LogCatalogue::Access::read) {
    if (not decodes_) {
        say_(std::string("the page: ") + kNoDecoder);
    }
    thread_ = std::thread([this] {
        set_thread_name("groma-watch");
        run();
    });
}

ExperimentWatch::~ExperimentWatch() {
    {
        const std::lock_guard lock(mutex_);
        stopped_ = true;
    }
    stopping_.notify_all();
    thread_.join();
}

bool ExperimentWatch::stops() {
    std::unique_lock lock(mutex_);
    return stopping_.wait_for(lock, kBetweenLooks, [this] { return stopped_; });
}

void ExperimentWatch::run() {
    std::string last_error;
    do {
        try {
            look();
            work();
            last_error.clear();
        } catch (const std::exception& error) {
            if (std::exchange(last_error, error.what()) != error.what()) {
                say_("the page cannot show what there is: " + std::string(error.what()));
            }
        }
    } while (not stops());
}

void ExperimentWatch::look() {
    std::map<std::string, std::vector<CatalogueEntry>> logs;
    std::vector<std::string> order;
    for (CatalogueEntry& entry : catalogue_.all()) {
        std::vector<CatalogueEntry>& own = logs[entry.experiment];
        if (own.empty()) {
            order.push_back(entry.experiment);
        }
        own.push_back(std::move(entry));
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        look_at(order[i], logs[order[i]], i + kMostResults / 2 >= order.size());
    }
    std::erase_if(experiments_, [&logs](const auto& one) { return not logs.contains(one.first); });  // pruned
}

void ExperimentWatch::look_at(const std::string& name, const std::vector<CatalogueEntry>& logs, bool decodes) {
    const bool writes =
        std::ranges::any_of(logs, [](const CatalogueEntry& log) { return log.state == LogState::writing; });
    const auto known = experiments_.find(name);
    if (known == experiments_.end() or (writes and not known->second.writing)) {
        begin(name, logs);
    }
    Experiment& experiment = experiments_.at(name);
    if (not experiment.writing) {
        return;
    }
    add_new_logs(experiment, logs);
    bool said_all = true;
    if (experiment.follower != nullptr) {
        said_all = hear(experiment);
    }
    if (writes) {
        experiment.over_since.reset();
        return;
    }
    if (not experiment.over_since) {
        experiment.over_since = clock_.now();
    }
    if (said_all or clock_.now() - *experiment.over_since > kLastWords) {
        end(name, experiment, decodes);
    }
}

void ExperimentWatch::begin(const std::string& name, const std::vector<CatalogueEntry>& logs) {
    BoardRun run{.experiment = name, .began = time_of(logs.front().opened_at)};
    for (const CatalogueEntry& log : logs) {
        if (std::ranges::find(run.hosts, log.node, &BoardHost::name) == run.hosts.end()) {
            run.hosts.push_back({.role = "log of", .name = log.node});
        }
    }
    run.note = decodes_ ? "One-way delays are by the clocks of both hosts: they are wrong by as much as these disagree."
                        : kNoDecoder;
    Experiment& experiment = experiments_[name];
    experiment = Experiment();
    experiment.number = board_.begin(std::move(run));
}

void ExperimentWatch::add_new_logs(Experiment& experiment, const std::vector<CatalogueEntry>& logs) {
    bool more = false;
    for (const CatalogueEntry& log : logs) {
        const auto [state, added] = experiment.states.insert_or_assign(log.name, state_text(log));
        if (added) {
            more = true;
            experiment.log_files.push_back(file_of_log(directory_, log.experiment, log.name));
            experiment.logs.push_back(files_.add(experiment.number, experiment.log_files.back(), log.name + ".glog"));
        }
    }
    const bool writes =
        std::ranges::any_of(logs, [](const CatalogueEntry& log) { return log.state == LogState::writing; });
    if (more and writes) {
        follow(experiment);
    }
}

void ExperimentWatch::follow(Experiment& experiment) {
    const auto followed =
        std::ranges::count_if(experiments_, [](const auto& one) { return one.second.follower != nullptr; });
    const bool again = experiment.follower != nullptr;
    if (not decodes_ or (not again and static_cast<std::size_t>(followed) >= kMostFollowed) or
        experiment.log_files.size() > kMostLogsRead) {
        return;
    }
    std::vector<std::string> command{"nice", "-n", "19", own_program("groma-dec"), "--follow", "--jsonl", "--quiet"};
    std::ranges::transform(experiment.log_files, std::back_inserter(command),
                           [](const std::filesystem::path& file) { return file.string(); });
    experiment.follower.reset();
    experiment.said.clear();
    experiment.follower = std::make_unique<RunningChild>(command);
}

bool ExperimentWatch::hear(Experiment& experiment) {
    std::optional<std::string> said;
    while ((said = experiment.follower->read(std::chrono::milliseconds(0)))) {
        if (said->empty()) {
            break;
        }
        experiment.said += *said;
        std::size_t begin = 0;
        for (std::size_t end = 0; (end = experiment.said.find('\n', begin)) != std::string::npos; begin = end + 1) {
            experiment.rows.add(std::string_view(experiment.said).substr(begin, end - begin));
        }
        experiment.said.erase(0, begin);
        if (experiment.said.size() > kLongestLine) {
            experiment.said.clear();
        }
    }
    for (IntervalRow& row : experiment.rows.take_settled()) {
        board_.add(experiment.number, std::move(row));
    }
    return not said;
}

void ExperimentWatch::end(const std::string& name, Experiment& experiment, bool decodes) {
    experiment.writing = false;
    experiment.follower.reset();
    for (IntervalRow& row : experiment.rows.take_rest()) {
        board_.add(experiment.number, std::move(row));
    }
    if (decodes and decodes_ and experiment.log_files.size() <= kMostLogsRead) {
        ended_.push_back(name);
    } else {
        end_without_report(experiment);
    }
}

void ExperimentWatch::end_without_report(const Experiment& experiment) {
    board_.end(experiment.number,
               {.at = clock_.wall_now(), .end = end_in_words(experiment.states), .files = experiment.logs});
}

void ExperimentWatch::work() {
    if (work_) {
        while (const auto said = work_->child->read(std::chrono::milliseconds(0))) {
            if (said->empty()) {
                return;
            }
            work_->said.append(*said, 0, kLargestReport - std::min<std::size_t>(work_->said.size(), kLargestReport));
        }
        finish_work();
    }
    while (not work_ and not ended_.empty()) {
        const std::string name = ended_.back();  // the latest first
        ended_.pop_back();
        const auto known = experiments_.find(name);
        if (known == experiments_.end()) {
            continue;
        }
        work_ = Work();
        work_->experiment = name;
        work_->folder = std::make_unique<TemporaryFolder>("groma-page");
        std::vector<std::string> command =
            in_background({own_program("groma-dec"), "--json=" + work_->folder->file("report.json"), "--sqlite",
                           work_->folder->file("results.sqlite")});
        std::ranges::transform(known->second.log_files, std::back_inserter(command), [](const auto& file) {
            std::error_code unknown;
            return (std::filesystem::exists(file, unknown) ? file : part_of(file)).string();
        });
        work_->child = std::make_unique<RunningChild>(command);
    }
}

void ExperimentWatch::finish_work() {
    Work done = *std::move(work_);
    work_.reset();
    done.child.reset();
    const auto known = experiments_.find(done.experiment);
    if (known == experiments_.end()) {
        return;  // pruned meanwhile
    }
    const Experiment& experiment = known->second;
    const std::filesystem::path folder = done.folder->path();
    if (done.draws) {
        std::vector<std::filesystem::path> pictures;
        std::error_code none;
        for (const auto& file : std::filesystem::directory_iterator(folder / "plots", none)) {
            pictures.push_back(file.path());
        }
        std::ranges::sort(pictures);
        for (const std::filesystem::path& picture : pictures) {
            board_.add_file(experiment.number, files_.add(experiment.number, picture, picture.filename().string()));
        }
    } else {
        BoardEnd end{.at = clock_.wall_now(), .end = end_in_words(experiment.states), .files = experiment.logs};
        end.report_text = done.said;
        end.report_json = text_in(folder / "report.json");
        const bool decoded = std::filesystem::exists(folder / "results.sqlite");
        if (decoded) {
            end.files.push_back(files_.add(experiment.number, folder / "results.sqlite", "results.sqlite"));
        }
        board_.end(experiment.number, std::move(end));
        if (decoded) {
            done.draws = true;
            done.said.clear();
            done.child = std::make_unique<RunningChild>(in_background(
                {own_program("groma-plot"), (folder / "results.sqlite").string(), "-o", (folder / "plots").string()}));
            work_.emplace(std::move(done));
            return;
        }
    }
    results_.push_back(std::move(done.folder));
    if (results_.size() > kMostResults) {
        results_.pop_front();
    }
}

}  // namespace groma
