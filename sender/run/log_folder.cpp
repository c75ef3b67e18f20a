#include "sender/run/log_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include "common/base/errors.hpp"
#include "common/log/file_sink.hpp"
#include "common/log/log_name.hpp"
#include "common/log/log_part.hpp"
#include "common/model/text/human.hpp"
#include "sender/plan/receiver_plan.hpp"
#include "sender/run/log_taker.hpp"

namespace groma {

namespace {

namespace fs = std::filesystem;

/// Their sections are in memory together.
constexpr std::size_t kFetchedAtOnce = 16;
constexpr Nanos kFetchLineInterval = std::chrono::seconds(1);

bool has_name_of_log(const fs::path& file) {
    return log_of_part(file.string()).ends_with(".glog");
}

/// Fetches the logs of all receivers, a section of each in turn, so that none waits for so long that its receiver gives
/// the session up.
class LogFetcher {
public:
    LogFetcher(ReceiverLinks& links, std::vector<FetchedLog>& logs, SendReport& report, const RunSurroundings& around,
               Nanos patience, bool removes)
        : links_(links),
          logs_(logs),
          report_(report),
          around_(around),
          patience_(patience),
          removes_(removes),
          longest_(longest_log(report)),
          resumed_at_(logs.size()) {}

    void fetch() {
        for (std::size_t i = 0; i < logs_.size(); ++i) {
            const ReceiverReport& receiver = report_.receivers[i];
            if (not receiver.lost.empty()) {
                note_failure(i, "its session ended before");
            } else if (receiver.log_error.empty()) {
                left_.push_back(i);
            }
        }
        while (not left_.empty()) {
            for (const std::size_t receiver : std::exchange(left_, {})) {
                turn_.push_back(receiver);
                if (turn_.size() == kFetchedAtOnce) {
                    take_turn();
                }
            }
            take_turn();
        }
    }

private:
    void take_turn() {
        std::vector<SectionRequest> requests;
        requests.reserve(turn_.size());
        for (const std::size_t receiver : turn_) {
            requests.push_back({.receiver = receiver, .offset = logs_[receiver].bytes()});
        }
        const std::vector<SectionOutcome> outcomes = links_.fetch_logs(requests, give_up_);
        const std::vector<std::size_t> asked = std::exchange(turn_, {});
        for (std::size_t i = 0; i < asked.size(); ++i) {
            take(asked[i], outcomes[i]);
        }
        show_progress();
    }

    void take(std::size_t receiver, const SectionOutcome& outcome) {
        FetchedLog& log = logs_[receiver];
        try {
            if (not outcome.error.empty() and not resume(receiver)) {
                throw RunError(outcome.error);
            }
            if (outcome.error.empty()) {
                log.take(outcome.section, longest_);
            }
            if (not log.whole()) {
                left_.push_back(receiver);
                return;
            }
            log.close();
            leave_there(receiver);
        } catch (const std::runtime_error& error) {
            note_failure(receiver, error.what());
        }
    }

    /// Goes on over another connection, but not if the last one brought nothing.
    bool resume(std::size_t receiver) {
        const std::uint64_t bytes = logs_[receiver].bytes();
        return std::exchange(resumed_at_[receiver], bytes) != bytes and
               links_.resume_fetch(receiver, patience_, give_up_);
    }

    void note_failure(std::size_t which, const std::string& why) {
        ReceiverReport& receiver = report_.receivers[which];
        receiver.log_error = not_fetched(receiver, &logs_[which], why);
        if (around_.log_taker != nullptr) {
            around_.log_taker->lose(which + 1, receiver.log_error);
        }
    }

    /// Its log is here. At once, as a receiver gives a session up in which nothing more is asked for.
    void leave_there(std::size_t which) {
        ReceiverReport& receiver = report_.receivers[which];
        const std::string there = std::exchange(receiver.log_file, logs_[which].describe());
        const std::string error = removes_ ? links_.remove_log(which, give_up_) : "";
        if (not error.empty() and around_.say) {
            around_.say("the log of the receiver at " + receiver.address + " was fetched, but is also left there as " +
                        there + ": " + error);
        }
    }

    void show_progress() {
        const MonoTime now = around_.clock.now();
        if (not around_.show_progress or now < next_line_) {
            return;
        }
        std::uint64_t bytes = 0;
        std::uint64_t expected = 0;
        for (const FetchedLog& log : logs_) {
            bytes += log.bytes();
            expected += log.expected().value_or(0);
        }
        around_.show_progress("fetching the receivers' logs: " + human_bytes(bytes) + " of " + human_bytes(expected));
        next_line_ = now + kFetchLineInterval;
    }

    ReceiverLinks& links_;
    std::vector<FetchedLog>& logs_;
    SendReport& report_;
    const RunSurroundings& around_;
    Nanos patience_;
    bool removes_;
    std::uint64_t longest_;
    std::vector<std::optional<std::uint64_t>> resumed_at_;  ///< bytes that had come when a connection broke
    GiveUp give_up_ = one_more_stop(around_);
    MonoTime next_line_ = around_.clock.now() + kFetchLineInterval;
    std::vector<std::size_t> left_{};
    std::vector<std::size_t> turn_{};  ///< of those, the next to be asked together
};

}  // namespace

void make_log_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directory(folder, error);
    if (error or not fs::is_directory(folder, error)) {
        throw SystemError("make the folder of logs " + folder.string(), error ? error.value() : ENOTDIR,
                          "give --logs the name of a folder whose parent folder exists");
    }
}

void refuse_other_logs(const fs::path& folder, const std::vector<std::string>& own) {
    std::error_code error;
    for (fs::directory_iterator file(folder, error), end; not error and file != end; file.increment(error)) {
        const std::string name = file->path().filename().string();
        if (has_name_of_log(name) and std::ranges::find(own, log_of_part(name)) == own.end()) {
            throw UsageError("the folder " + folder.string() + " has a log of another run, " + name +
                             ": give --logs a folder of this run's own");
        }
    }
    if (error) {
        throw SystemError("read the folder of logs " + folder.string(), error.value());
    }
}

GiveUp one_more_stop(const RunSurroundings& around) {
    return [&around, enough = around.stop_requests() + 1] { return around.stop_requests() >= enough; };
}

std::uint64_t longest_log(const SendReport& report) {
    std::uint64_t packets = 0;
    for (const FlowReport& flow : report.flows) {
        const std::uint64_t sent = flow.outcome.fidelity.packets;
        packets += std::min(sent, flow.spec.stop.packets.value_or(sent));
    }
    return longest_receiver_log(report.flows.size(), packets, report.elapsed);
}

std::string not_fetched(const ReceiverReport& receiver, const FetchedLog* log, const std::string& why) {
    std::string text = "it was not fetched, and is " + receiver.log_file + " (.part if it is not whole) on its host";
    if (log != nullptr and log->bytes() > 0) {
        text += " (its first " + human_bytes(log->bytes()) + " are in " + part_of_log(log->describe()) + ')';
    }
    return text + ": " + why;
}

LogFolder::LogFolder(const SenderOptions& options, const RunSurroundings& around)
    : around_(around),
      folder_(options.logs),
      name_(around.log_taker != nullptr ? options.logs_for_client.receivers : std::string(kReceiversLogOfFolder)),
      replaces_(options.replace_log),
      patience_(3 * options.times.silence),
      removes_(around.log_taker == nullptr and options.receiver_log.empty()) {
    if (around.log_taker == nullptr) {
        make_log_folder(folder_);
    }
}

void LogFolder::await(const std::vector<ReceiverPlan>& plans) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < plans.size(); ++i) {
        names.push_back(receiver_log_name(name_, plans, i));
    }
    if (LogTaker* const taker = around_.log_taker; taker != nullptr) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            logs_.emplace_back(names[i], [taker, number = i + 1, name = names[i]](const LogSection& section) {
                taker->take(number, name, section);
            });
        }
        return;
    }
    if (not around_.shared) {  // otherwise the folder is also that of others, and was looked at before
        std::vector<std::string> own = names;
        own.emplace_back(kSenderLogOfFolder);
        refuse_other_logs(folder_, own);
    }
    const EarlierLog earlier{.replaced = replaces_, .advice = "or --force to replace it"};
    for (const std::string& name : names) {
        logs_.emplace_back(open_named_file_sink(folder_ / name, earlier));
    }
}

void LogFolder::ask_for_log(Start& start, const RunMetadata& run, const std::vector<ReceiverPlan>& plans,
                            std::size_t which) const {
    if (start.log_file.empty()) {
        const bool of_several = around_.shared and not around_.shared->sender.empty();
        const std::string sender = of_several ? "-from-" + file_name_part(around_.shared->sender) : "";
        start.log_file =
            receiver_log_name(experiment_folder(run.experiment, run.run_id) + sender + ".glog", plans, which);
    }
    start.fetch_log = true;
}

void LogFolder::fetch(ReceiverLinks& links, SendReport& report) {
    LogFetcher(links, logs_, report, around_, patience_, removes_).fetch();
}

}  // namespace groma
