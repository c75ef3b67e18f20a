#include "mpi/job/job_leader.hpp"

#include <algorithm>
#include <set>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "mpi/job/run_layout.hpp"
#include "mpi/job/run_news.hpp"
#include "mpi/job/run_tally.hpp"
#include "mpi/roles/run_folder.hpp"
#include "mpi/world/common_start.hpp"

namespace groma {

namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Nanos kMeetLimit = seconds(60);
constexpr Nanos kForever = std::chrono::hours(24 * 365);
/// How long the steps of the end may take, one after the other: after all went well (logs may still be on their way),
/// after something failed, and when mpirun is about to end the job (it gives a rank a second).
struct EndLimits {
    Nanos results;
    Nanos senders;
    Nanos receivers;
    Nanos log_server;
};
constexpr EndLimits kInAHurry{milliseconds(250), milliseconds(150), milliseconds(200), milliseconds(150)};

EndLimits end_limits(bool well, const JobTimes& times) {
    return well ? EndLimits{times.end, times.end, times.end, times.end_of_logs}
                : EndLimits{times.failed_end, times.failed_end, times.failed_end, times.failed_end};
}

JobRanks::Patience patience(const EndLimits& limits, Nanos EndLimits::*step) {
    return {limits.*step, kInAHurry.*step};
}

/// One run, on its way.
class Run {
public:
    Run(JobRanks& ranks, const std::vector<RankIdentity>& identities, const JobRun& run)
        : ranks_(ranks),
          identities_(identities),
          run_(run),
          times_(TimeLimits::with_timeout(run.timeout).job),
          folder_(RunFolder::make(run.folder, run.run_id)),
          layout_(identities, run, folder_.path().string()),
          news_(ranks, layout_),
          tally_({.ranks = ranks, .layout = layout_, .news = news_, .folder = folder_, .run = run}) {}

    [[nodiscard]] JobReport run() {
        ranks_.forget();
        if (prepare() and begin() and start()) {
            send();
        }
        end();
        return tally_.report();
    }

    /// A rank did not end in time.
    [[nodiscard]] bool stuck() const { return news_.stuck(); }

private:
    bool prepare() {
        for (const auto& [rank, order] : layout_.orders()) {
            ordered_.insert(rank);
            ranks_.say(rank, {"prepare", to_json(order)});
        }
        if (not news_.await_all(ordered_, "prepared", times_.prepared)) {
            return false;
        }
        for (const int rank : ordered_) {
            const json answer = ranks_.take(rank, "prepared").value_or(json::object());
            layout_.take_prepared(rank, answer);
            if (not json_field<bool>(answer, "shared")) {
                elsewhere_.insert(rank);
            }
        }
        return true;
    }

    /// A sender that cannot begin says "sent", with the reason, instead of "ready".
    bool begin() {
        for (const int rank : layout_.senders()) {
            ranks_.say(rank, {"begin", to_json(layout_.send_order(rank))});
            tally_.expect(rank);
        }
        const auto some_sent = [this] {
            return std::ranges::any_of(layout_.senders(), [this](int rank) { return ranks_.has(rank, "sent"); });
        };
        ranks_.await(
            [&] {
                news_.hear_failures();
                return not news_.errors().empty() or some_sent() or
                       std::ranges::all_of(layout_.senders(), [this](int rank) { return ranks_.has(rank, "ready"); });
            },
            times_.ready);
        if (some_sent()) {
            news_.await_more();
            return false;
        }
        return news_.errors().empty() and news_.await_all(layout_.senders(), "ready", Nanos(0));
    }

    bool start() {
        std::vector<ReadySender> senders;
        for (const int rank : layout_.senders()) {
            const Nanos difference = ranks_.clock_difference(rank, identities_, times_.ping);
            const json ready = ranks_.take(rank, "ready").value_or(json::object());
            senders.push_back({difference, json_field<Nanos>(ready, "margin_ns")});
        }
        const std::vector<MonoTime> starts = common_start(ranks_.clock().now(), senders);
        auto start = starts.begin();
        for (const int rank : layout_.senders()) {
            ranks_.say(rank, {"start", {{"mono_ns", start++->time_since_epoch().count()}}});
        }
        return true;
    }

    void send() {
        ranks_.await(
            [this] {
                news_.hear_failures();
                show_progress();
                tally_.keep_so_far();
                return not news_.errors().empty() or tally_.all_sent();
            },
            kForever);
    }

    void show_progress() {
        while (const auto progress = ranks_.take_any("progress")) {
            if (run_.show_progress) {
                const std::string line = progress->second.value("line", "");
                const bool several = layout_.senders().size() > 1;
                run_.show_progress(several ? progress->second.value("sender", "") + ": " + line : line);
            }
        }
    }

    /// Whatever happened: senders first, then receivers, which close their logs, then the log server, which has them.
    void end() {
        news_.expect_ends();
        const bool well = news_.errors().empty() and tally_.all_sent() and not ranks_.interrupted();
        const EndLimits limits = end_limits(well, times_);
        end_senders(limits);
        if (layout_.has_receivers()) {
            say_to(layout_.receivers(), {"close_receiver"});
            news_.await_end(layout_.receivers(), "closed", patience(limits, &EndLimits::receivers));
        }
        if (layout_.has_log_server()) {
            const std::set<int> server = {*run_.roles.log_server};
            say_to(server, {"close_log_server"});
            news_.await_end(server, "log_server_closed", patience(limits, &EndLimits::log_server));
        }
        fetch_all();
        folder_.remove_mark();
        if (not ranks_.interrupted()) {
            say_to(ordered_, {"end_run"});
            news_.await_end(ordered_, "run_ended", patience(limits, &EndLimits::log_server));
        }
    }

    void end_senders(const EndLimits& limits) {
        if (tally_.all_sent()) {
            return;
        }
        say_to(tally_.sending(), {"stop", {{"level", 1}}});
        if (not ranks_.await([this] { return tally_.all_sent(); }, patience(limits, &EndLimits::results))) {
            say_to(tally_.sending(), {"stop", {{"level", 2}}});
            news_.await_end(tally_.sending(), "sent", patience(limits, &EndLimits::senders));
        }
    }

    /// From the disks that this rank does not see.
    void fetch_all() {
        for (const int rank : elsewhere_) {
            if (ranks_.interrupted()) {
                return;
            }
            try {
                ranks_.fetch_logs(rank, folder_.path(), times_.file);
            } catch (const std::exception& error) {
                news_.error(rank, std::string("its logs could not be fetched: ") + error.what());
            }
        }
    }

    void say_to(const std::set<int>& ranks, const RankMessage& message) {
        for (const int rank : ranks) {
            ranks_.say(rank, message);
        }
    }

    JobRanks& ranks_;
    const std::vector<RankIdentity>& identities_;
    const JobRun& run_;
    JobTimes times_;
    RunFolder folder_;
    RunLayout layout_;
    RunNews news_;
    RunTally tally_;
    std::set<int> ordered_;
    std::set<int> elsewhere_;  ///< ranks that do not see this folder
};

}  // namespace

void JobLeader::meet() {
    identities_.clear();
    const auto all_here = [this] {
        for (int rank = 0; rank < ranks_.size(); ++rank) {
            if (not ranks_.has(rank, "identity")) {
                return false;
            }
        }
        return true;
    };
    if (not ranks_.await(all_here, kMeetLimit)) {
        throw RunError("not all ranks of this job have come up within a minute");
    }
    for (int rank = 0; rank < ranks_.size(); ++rank) {
        identities_.push_back(from_json<RankIdentity>(*ranks_.take(rank, "identity")));
    }
}

JobReport JobLeader::run(const JobRun& run) {
    Run one(ranks_, identities_, run);
    JobReport report = one.run();
    stuck_ = stuck_ or one.stuck();
    return report;
}

void JobLeader::dismiss() {
    for (int rank = 0; rank < ranks_.size(); ++rank) {
        ranks_.say(rank, {"leave"});
    }
    ranks_.flush();
}

}  // namespace groma
