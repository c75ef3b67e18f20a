#include "sender/send_run.hpp"

#include <algorithm>
#include <map>
#include <thread>
#include <utility>

#include "common/base/errors.hpp"
#include "common/cli/human.hpp"
#include "common/log/log_name.hpp"
#include "common/net/channel.hpp"
#include "common/os/host.hpp"
#include "common/os/process.hpp"
#include "common/stats/clock_offset.hpp"
#include "sender/log_totals.hpp"
#include "sender/progress.hpp"
#include "sender/receiver_links.hpp"
#include "sender/send_engine.hpp"
#include "sender/sender_log.hpp"

namespace groma {

namespace {

constexpr std::string_view kProgram = "groma-send " GROMA_VERSION;
constexpr Nanos kConnectLimit = std::chrono::seconds(5);
constexpr Nanos kTick = std::chrono::milliseconds(50);
constexpr Nanos kProgressInterval = std::chrono::seconds(1);
/// From the choice of the common start until then the log's first block is written and the threads start.
constexpr Nanos kStartMargin = std::chrono::milliseconds(200);
constexpr Nanos kStartMarginPerFlow = std::chrono::microseconds(50);
/// Descriptors besides a socket for each flow: standard streams, sessions, logs, and what the libraries open.
constexpr std::uint64_t kSpareFds = 64;

/// Each name is resolved once.
std::vector<SocketAddress> resolve_targets(const std::vector<FlowSpec>& flows) {
    std::map<std::pair<std::string, std::uint16_t>, SocketAddress> known;
    std::vector<SocketAddress> addresses;
    for (const FlowSpec& flow : flows) {
        const std::pair name(flow.target.host, flow.target.control_port);
        auto found = known.find(name);
        if (found == known.end()) {
            found = known.emplace(name, resolve(flow.target.host, flow.target.control_port)).first;
        }
        addresses.push_back(found->second);
    }
    return addresses;
}

void make_room_for_sockets(std::size_t flows) {
    const std::uint64_t room = raise_fd_limit();
    if (room < flows + kSpareFds) {
        throw RunError("cannot open " + std::to_string(flows) + " flows: this process may open " +
                       std::to_string(room) + " files and sockets (ulimit -n), and needs " +
                       std::to_string(flows + kSpareFds) + ": raise the limit, or use fewer flows");
    }
}

std::string text_of(const LogServerAddress& server) {
    const bool v6 = server.host.find(':') != std::string::npos;
    return (v6 ? '[' + server.host + ']' : server.host) + ':' + std::to_string(server.port);
}

class SendRun {
public:
    SendRun(const SenderOptions& options, RunSurroundings surroundings)
        : options_(options),
          around_(std::move(surroundings)),
          run_id_(random_id()),
          plans_(group_by_receiver(options.experiment.flows, resolve_targets(options.experiment.flows))),
          links_(plans_, around_.clock),
          give_up_([this] { return around_.stop_requests() > 0; }) {}

    SendReport run() {
        make_room_for_sockets(options_.experiment.flows.size());
        opened_ = links_.open(hello(), give_up_);
        std::vector<FlowToSend> flows = open_channels();
        SenderLog log(options_, experiment_folder(options_.experiment.name, run_id_));
        const std::vector<std::string> log_files = links_.start(starts(), give_up_);
        const MonoTime start = choose_start();
        log.begin(metadata());
        SendEngine engine(std::move(flows), EngineOptions{.threads = options_.threads}, log.writer());
        engine.start(start);
        watch(engine, start);
        std::vector<FlowOutcome> outcomes = engine.wait();
        elapsed_ = around_.clock.now() - start;
        const std::vector<FinishOutcome> finished = finish(outcomes);
        SendReport report = make_report(std::move(outcomes), finished, log_files);
        note_events(report, engine.log_error());
        report.log =
            log.close(events_, all_probes(finished), log_totals(report, around_.clock.wall_now()), engine.log_error());
        return report;
    }

private:
    [[nodiscard]] Hello hello() const {
        Hello hello;
        hello.program = kProgram;
        hello.run_id = run_id_;
        hello.experiment = options_.experiment.name;
        hello.host = host_name();
        hello.seed = options_.experiment.seed;
        return hello;
    }

    /// In the order of the experiment, whichever receiver they go to.
    std::vector<FlowToSend> open_channels() {
        std::map<FlowId, SocketAddress> data_addresses;
        for (std::size_t i = 0; i < plans_.size(); ++i) {
            for (const OpenedFlow& opened : opened_[i].ports) {
                data_addresses[opened.flow] = plans_[i].address.with_port(opened.port);
            }
        }
        std::vector<FlowToSend> flows;
        for (const FlowSpec& spec : options_.experiment.flows) {
            if (give_up_()) {
                throw RunError("interrupted before anything was sent");
            }
            auto channel = open_channel(spec.transport, data_addresses.at(spec.id), kConnectLimit);
            setups_.push_back({spec, channel->local_address().to_string(), channel->remote_address().to_string()});
            flows.push_back({spec, std::move(channel)});
        }
        return flows;
    }

    [[nodiscard]] std::vector<Start> starts() const {
        std::vector<Start> starts;
        for (std::size_t i = 0; i < plans_.size(); ++i) {
            Start start;
            start.log_file = receiver_log_name(options_.receiver_log, plans_, i);
            start.log_server = options_.receiver_log_server ? text_of(*options_.receiver_log_server) : "";
            starts.push_back(std::move(start));
        }
        return starts;
    }

    MonoTime choose_start() {
        const Nanos margin = kStartMargin + kStartMarginPerFlow * static_cast<std::int64_t>(setups_.size());
        const MonoTime now = around_.clock.now();
        started_at_ = around_.clock.wall_now() + margin;
        return now + margin;
    }

    [[nodiscard]] RunMetadata metadata() const {
        return RunMetadata{.run_id = run_id_,
                           .experiment = options_.experiment.name,
                           .role = LogRole::sender,
                           .host = host_name(),
                           .boot_id = boot_id(),
                           .program = std::string(kProgram),
                           .timestamps = "user",
                           .started_at = started_at_,
                           .seed = options_.experiment.seed,
                           .flows = setups_};
    }

    /// Returns when all flows have ended: to their ends, because the user stops them, or because their receivers died.
    void watch(SendEngine& engine, MonoTime start) {
        Progress progress(options_.experiment.flows);
        MonoTime next_line = start + kProgressInterval;
        lost_.resize(plans_.size());
        while (not engine.finished()) {
            around_.clock.sleep_until(around_.clock.now() + kTick);
            if (not interrupted_ and give_up_()) {
                interrupted_ = true;
                engine.stop();
            }
            fail_flows_of_lost_receivers(engine);
            const MonoTime now = around_.clock.now();
            if (around_.show_progress and now >= next_line) {
                around_.show_progress(progress.line(now - start, engine.progress()));
                next_line += kProgressInterval;
            }
        }
    }

    void fail_flows_of_lost_receivers(SendEngine& engine) {
        for (std::size_t i = 0; i < plans_.size(); ++i) {
            const std::optional<std::string> why = links_.lost(i);
            if (not why or not lost_[i].empty()) {
                continue;
            }
            lost_[i] = *why;
            events_.push_back({around_.clock.wall_now(), std::nullopt, "peer-lost", *why});
            for (const FlowSpec& flow : plans_[i].flows) {
                engine.fail(flow.id, *why);
            }
        }
    }

    std::vector<FinishOutcome> finish(const std::vector<FlowOutcome>& outcomes) {
        std::map<FlowId, SentFlow> sent;
        for (const FlowOutcome& outcome : outcomes) {
            sent[outcome.flow] = {outcome.flow, outcome.fidelity.packets, outcome.fidelity.bytes};
        }
        std::vector<Finish> finishes;
        for (const ReceiverPlan& plan : plans_) {
            Finish finish{.interrupted = interrupted_, .wait = options_.wait, .flows = {}};
            for (const FlowSpec& flow : plan.flows) {
                finish.flows.push_back(sent.at(flow.id));
            }
            finishes.push_back(std::move(finish));
        }
        // The request that ended the flows does not end the waiting as well: that takes one more.
        const unsigned enough = interrupted_ ? 2 : 1;
        return links_.finish(finishes, [this, enough] { return around_.stop_requests() >= enough; });
    }

    SendReport make_report(std::vector<FlowOutcome> outcomes, const std::vector<FinishOutcome>& finished,
                           const std::vector<std::string>& log_files) const {
        std::map<FlowId, ReceivedFlow> received;
        for (const FinishOutcome& one : finished) {
            for (const ReceivedFlow& flow : one.finished.results.flows) {
                received[flow.flow] = flow;
            }
        }
        SendReport report{.run_id = run_id_,
                          .experiment = options_.experiment.name,
                          .seed = options_.experiment.seed,
                          .host = host_name(),
                          .started_at = started_at_,
                          .elapsed = elapsed_,
                          .interrupted = interrupted_,
                          .flows = {},
                          .receivers = {},
                          .log = std::nullopt};
        for (std::size_t i = 0; i < outcomes.size(); ++i) {
            FlowReport flow{setups_[i].spec, setups_[i].local_address, setups_[i].remote_address,
                            std::move(outcomes[i]), std::nullopt};
            if (const auto found = received.find(flow.outcome.flow); found != received.end()) {
                flow.received = found->second;
            }
            report.flows.push_back(std::move(flow));
        }
        for (std::size_t i = 0; i < plans_.size(); ++i) {
            report.receivers.push_back(receiver_report(i, finished[i], log_files[i]));
        }
        return report;
    }

    [[nodiscard]] ReceiverReport receiver_report(std::size_t which, const FinishOutcome& outcome,
                                                 const std::string& log_file) const {
        const Welcome& welcome = opened_[which].welcome;
        ReceiverReport report{.address = plans_[which].address.to_string(),
                              .host = welcome.host,
                              .lost = lost_[which].empty() ? outcome.error : lost_[which],
                              .log_file = log_file,
                              .log_error = outcome.finished.results.log_error,
                              .same_clock = not welcome.boot_id.empty() and welcome.boot_id == boot_id(),
                              .offset = std::nullopt};
        MinimumDelayFilter filter;
        for (const std::vector<ClockProbe>* probes : {&opened_[which].probes, &outcome.finished.probes}) {
            for (const ClockProbe& probe : *probes) {
                filter.add(probe.sent, probe.received, probe.answered, probe.returned);
            }
        }
        report.offset = filter.best();
        return report;
    }

    void note_events(const SendReport& report, const std::string& log_error) {
        if (interrupted_) {
            events_.push_back({around_.clock.wall_now(), std::nullopt, "interrupted",
                               "the user stopped the run after " + human_time(elapsed_)});
        }
        if (log_error.empty()) {
            const std::vector<LogEvent> more = events_of_flows(report, around_.clock.wall_now());
            events_.insert(events_.end(), more.begin(), more.end());
        }
    }

    [[nodiscard]] std::vector<ClockProbe> all_probes(const std::vector<FinishOutcome>& finished) const {
        std::vector<ClockProbe> probes;
        for (const OpenedReceiver& opened : opened_) {
            probes.insert(probes.end(), opened.probes.begin(), opened.probes.end());
        }
        for (const FinishOutcome& outcome : finished) {
            probes.insert(probes.end(), outcome.finished.probes.begin(), outcome.finished.probes.end());
        }
        return probes;
    }

    const SenderOptions& options_;
    RunSurroundings around_;
    std::string run_id_;
    std::vector<ReceiverPlan> plans_;
    ReceiverLinks links_;
    GiveUp give_up_;
    std::vector<OpenedReceiver> opened_;  ///< in the order of the plans
    std::vector<FlowSetup> setups_;       ///< in the order of the experiment
    std::vector<std::string> lost_;       ///< why, for each receiver; empty: it lives
    std::vector<LogEvent> events_;
    WallTime started_at_{};
    Nanos elapsed_{0};
    bool interrupted_ = false;
};

}  // namespace

SendReport send_run(const SenderOptions& options, RunSurroundings surroundings) {
    return SendRun(options, std::move(surroundings)).run();
}

}  // namespace groma
