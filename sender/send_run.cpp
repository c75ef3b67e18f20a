#include "sender/send_run.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "common/base/errors.hpp"
#include "common/cli/human.hpp"
#include "common/log/clock_health.hpp"
#include "common/log/cpu_counters.hpp"
#include "common/log/log_name.hpp"
#include "common/log/sample_queue.hpp"
#include "common/model/sharing.hpp"
#include "common/net/channel.hpp"
#include "common/net/device_queues.hpp"
#include "common/net/kernel_stamps.hpp"
#include "common/net/signalling.hpp"
#include "common/os/cpu_conditions.hpp"
#include "common/os/host.hpp"
#include "common/os/process.hpp"
#include "common/os/reserved_cores.hpp"
#include "common/os/usage.hpp"
#include "common/time/step_watch.hpp"
#include "sender/doors.hpp"
#include "sender/flow_channels.hpp"
#include "sender/kept_setups.hpp"
#include "sender/log_totals.hpp"
#include "sender/pacing_report.hpp"
#include "sender/progress.hpp"
#include "sender/run_facts.hpp"
#include "sender/send_engine.hpp"
#include "sender/sender_log.hpp"
#include "sender/stamp_worker.hpp"
#include "sender/targets.hpp"

namespace groma {

namespace {

constexpr Nanos kConnectLimit = std::chrono::seconds(5);
/// For receivers that have called in to dial their flows.
constexpr Nanos kMeetLimit = std::chrono::seconds(15);
constexpr Nanos kTick = std::chrono::milliseconds(50);
constexpr Nanos kReplyTick = std::chrono::milliseconds(2);
constexpr Nanos kProgressInterval = std::chrono::seconds(1);
constexpr Nanos kStepLookInterval = std::chrono::seconds(1);
/// Telling what was sent so far takes no more than this part of the time: the reports of many flows are large.
constexpr int kSoFarRest = 50;
/// Beyond so many flows over UDP to one receiver, flows share sockets: so many of them each.
constexpr std::size_t kMostOwnSockets = 1'000;
constexpr std::size_t kFlowsPerSocket = 256;
/// From the choice of the common start until then the log's first block is written and the threads start.
constexpr Nanos kStartMargin = std::chrono::milliseconds(200);
constexpr Nanos kStartMarginPerFlow = std::chrono::microseconds(30);

RunMetadata metadata_of(const Experiment& experiment) {
    RunMetadata metadata;
    metadata.run_id = random_id();
    metadata.experiment = experiment.name;
    metadata.role = LogRole::sender;
    metadata.host = host_name();
    metadata.boot_id = boot_id();
    metadata.program = "groma-send " GROMA_VERSION;
    metadata.timestamps = "user";
    metadata.seed = experiment.seed;
    metadata.clock = clock_health();
    return metadata;
}

std::vector<FlowOutcome> outcomes_so_far(const std::vector<FlowProgress>& flows) {
    std::vector<FlowOutcome> outcomes;
    outcomes.reserve(flows.size());
    for (const FlowProgress& flow : flows) {
        FlowOutcome& outcome = outcomes.emplace_back();
        outcome.flow = flow.flow;
        outcome.end = flow.finished ? FlowEnd::complete : FlowEnd::interrupted;
        outcome.fidelity.packets = flow.packets;
        outcome.fidelity.bytes = flow.bytes;
    }
    return outcomes;
}

RunFacts facts_at_the_beginning(const Experiment& experiment, const RunSurroundings& around) {
    RunFacts facts;
    facts.metadata = metadata_of(experiment);
    if (around.shared) {
        facts.metadata.run_id = around.shared->run_id;
    }
    return facts;
}

class SendRun {
public:
    SendRun(SenderOptions options, RunSurroundings surroundings)
        : options_(std::move(options)),
          reserved_(options_.pin),
          around_(std::move(surroundings)),
          facts_(facts_at_the_beginning(options_.experiment, around_)),
          flows_(options_.passive ? std::exchange(options_.experiment.flows, {})
                                  : sharing(complete_group_flows(std::exchange(options_.experiment.flows, {}),
                                                                 facts_.metadata.run_id))),
          plans_(options_.passive ? group_by_name(flows_) : plan_receivers(flows_)),
          progress_(flows_),
          payloads_(flows_),
          links_(plans_, around_.clock),
          step_watch_(around_.clock),
          give_up_([this] { return around_.stop_requests() > 0; }) {
        facts_.required = options_.experiment.required;
        if (not options_.signal_line.empty()) {
            signal_line_.emplace(options_.signal_line);
        }
        for (const ReceiverPlan& plan : plans_) {
            ReceiverFacts& receiver = facts_.receivers.emplace_back();
            receiver.address = plan.address;
            receiver.flows.reserve(plan.flows.size());
            for (const FlowSpec& flow : plan.flows) {
                receiver.flows.push_back(flow.id);
                ++receivers_left_[flow.id];
            }
        }
    }

    SendReport run() {
        make_room_for_sockets(sockets_of(flows_));
        if (options_.passive) {
            await_receivers(*options_.passive);
        }
        open_sessions();
        std::vector<FlowToSend> flows = open_channels();
        SenderLog log(options_, {.folder = experiment_folder(facts_.metadata.experiment, facts_.metadata.run_id),
                                 .name = around_.shared ? "sender-" + around_.shared->sender : "sender",
                                 .shipper = around_.shipper,
                                 .remark = around_.remark});
        start_receivers();
        SendEngine engine(std::move(flows), EngineOptions{.threads = options_.threads,
                                                          .pin = options_.pin,
                                                          .realtime = options_.realtime,
                                                          .logged = log.wanted()});
        const MonoTime start = choose_start();
        log.begin(facts_.metadata);
        put_away_setups();
        give_back_memory();
        const CpuUsage before = process_usage();
        conditions_.emplace();
        engine.start(start, log.writer());
        watch(engine, start);
        facts_.outcomes = engine.wait();
        facts_.usage = process_usage() - before;
        facts_.conditions = conditions_->look();
        facts_.pacing = engine.pacing();
        note_doors();
        if (const std::uint64_t lost = engine.samples_lost(); lost > 0) {
            events_.push_back(samples_lost(lost, around_.clock.wall_now()));
        }
        facts_.elapsed = around_.clock.now() - start;
        finish();
        await_replies(engine);
        take_out_setups();
        SendReport report = make_report(facts_);
        note_events(report);
        if (around_.shared) {
            around_.shared->counted(report);
        }
        LogTotals totals = log_totals(report, around_.clock.wall_now());
        add_cpu_usage(totals, report.usage.value_or(CpuUsage{}));
        report.log = log.close(events_, all_probes(facts_), totals, engine.log_error());
        return report;
    }

private:
    [[nodiscard]] std::vector<FlowSpec> sharing(std::vector<FlowSpec> flows) const {
        const std::size_t sharing = share_sockets(flows, kMostOwnSockets, kFlowsPerSocket);
        if (sharing > 0 and around_.remark) {
            around_.remark(std::to_string(sharing) + " flows over UDP share sockets, " +
                           std::to_string(kFlowsPerSocket) + " each");
        }
        return flows;
    }

    /// Until all have called in; then their flows are awaited at doors of their own.
    void await_receivers(const PassiveOptions& passive) {
        links_.await({.listen = passive.listen,
                      .limit = passive.wait,
                      .remark = around_.remark,
                      .show_progress = around_.show_progress},
                     give_up_);
        doors_.emplace(around_.clock, queues_);
        for (std::size_t i = 0; i < plans_.size(); ++i) {
            plans_[i] = links_.plan(i);
            facts_.receivers[i].address = plans_[i].address;
            std::vector<DialTarget> dial;
            for (const FlowSpec& flow : plans_[i].flows) {
                dial.push_back(doors_->open(flow, links_.local_address(i)));
            }
            links_.await_flows_at(i, std::move(dial));
        }
    }

    std::map<FlowId, std::unique_ptr<Channel>> meet_receivers() {
        return doors_->meet(kMeetLimit, [this] {
            if (give_up_()) {
                throw RunError("interrupted before anything was sent");
            }
            for (std::size_t i = 0; i < plans_.size(); ++i) {
                if (const auto why = links_.lost(i)) {
                    throw RunError(*why);
                }
            }
        });
    }

    void open_sessions() {
        Hello hello;
        hello.program = facts_.metadata.program;
        hello.run_id = facts_.metadata.run_id;
        hello.experiment = facts_.metadata.experiment;
        hello.host = facts_.metadata.host;
        hello.seed = facts_.metadata.seed;
        std::vector<OpenedReceiver> opened = links_.open(hello, give_up_);
        for (std::size_t i = 0; i < opened.size(); ++i) {
            facts_.receivers[i].opened = std::move(opened[i]);
        }
    }

    std::vector<std::unique_ptr<Channel>> channels_to(const std::map<FlowId, SocketAddress>& data_addresses) {
        std::vector<SocketAddress> to;
        to.reserve(flows_.size());
        for (const FlowSpec& spec : flows_) {
            to.push_back(data_addresses.at(spec.id));
        }
        return FlowChannels(kConnectLimit, queues_).open(flows_, to, give_up_);
    }

    std::vector<std::unique_ptr<Channel>> channels_met() {
        std::map<FlowId, std::unique_ptr<Channel>> met = meet_receivers();
        std::vector<std::unique_ptr<Channel>> channels;
        channels.reserve(flows_.size());
        for (const FlowSpec& spec : flows_) {
            channels.push_back(std::move(met.at(spec.id)));
        }
        return channels;
    }

    /// In the order of the experiment, whichever receivers they go to.
    std::vector<FlowToSend> open_channels() {
        std::map<FlowId, SocketAddress> data_addresses;
        for (const ReceiverFacts& receiver : facts_.receivers) {
            for (const OpenedFlow& flow : receiver.opened.ports) {
                data_addresses.emplace(flow.flow, receiver.address.with_port(flow.port));
            }
        }
        std::vector<std::unique_ptr<Channel>> channels = doors_ ? channels_met() : channels_to(data_addresses);
        std::vector<FlowToSend> flows;
        flows.reserve(flows_.size());
        facts_.metadata.flows.reserve(flows_.size());
        for (std::size_t i = 0; i < flows_.size(); ++i) {
            if (flows_[i].target.host == kWhoeverCalls) {
                flows_[i].target.host = plans_.front().name;
            }
            if (signal_line_) {
                channels[i] = signalling(std::move(channels[i]), *signal_line_);
            }
            name_departure_times(flows_[i], *channels[i]);
            std::string local = channels[i]->local_address().to_string();
            std::string remote = channels[i]->remote_address().to_string();
            flows.push_back({flows_[i], std::move(channels[i]), &payloads_.of(flows_[i])});
            facts_.metadata.flows.push_back({std::move(flows_[i]), std::move(local), std::move(remote)});
        }
        // A hundred thousand specs take a hundred megabytes: those of the metadata are left. ("= {}" would keep them.)
        flows_ = std::vector<FlowSpec>();
        return flows;
    }

    /// The records of packets have the user's times always; others come in records of their own.
    void name_departure_times(const FlowSpec& spec, const Channel& channel) {
        if (const auto held = channel.held_departures()) {
            name_times(", departures by the " + departure_in_words(held->queue));
        }
        if (not wants_transmit_stamps(spec)) {
            return;
        }
        const std::vector<std::string> remarks = channel.remarks();
        const bool refused = std::any_of(remarks.begin(), remarks.end(),
                                         [](const std::string& remark) { return remark.starts_with(kNoHardware); });
        const StampSource source = refused ? StampSource::kernel : *spec.options.sent_stamps;
        name_times(", departures also " + std::string(stamps_in_words(source)));
    }

    void name_times(const std::string& also) {
        if (facts_.metadata.timestamps.find(also) == std::string::npos) {
            facts_.metadata.timestamps += also;
        }
    }

    void start_receivers() {
        std::vector<Start> starts;
        for (std::size_t i = 0; i < plans_.size(); ++i) {
            Start start;
            start.log_file = receiver_log_name(options_.receiver_log, plans_, i);
            if (around_.shared) {
                start.log_name = shared_receiver_log_name(plans_[i], around_.shared->sender);
                start.log_file = options_.receiver_log.empty() ? "" : start.log_name + ".glog";
            }
            start.log_server = options_.receiver_log_server ? to_string(*options_.receiver_log_server) : "";
            start.log_transport = to_string(options_.receiver_log_transport.value_or(LogTransport::tcp));
            starts.push_back(std::move(start));
        }
        std::vector<std::string> log_files = links_.start(starts, give_up_);
        for (std::size_t i = 0; i < log_files.size(); ++i) {
            facts_.receivers[i].log_file = std::move(log_files[i]);
        }
        plans_ = std::vector<ReceiverPlan>();  // as flows_
    }

    MonoTime choose_start() {
        const auto flows = static_cast<std::int64_t>(facts_.metadata.flows.size());
        const Nanos margin = kStartMargin + kStartMarginPerFlow * flows;
        const MonoTime start = around_.shared ? around_.shared->agree_on_start(margin) : around_.clock.now() + margin;
        facts_.metadata.started_at = around_.clock.wall_now() + (start - around_.clock.now());
        return start;
    }

    /// Who is told of the run while it goes on gets reports, which need them.
    void put_away_setups() {
        if (not around_.shared or not around_.shared->so_far) {
            setups_ = KeptSetups(std::exchange(facts_.metadata.flows, {}));
        }
    }

    void take_out_setups() {
        if (facts_.metadata.flows.empty()) {
            facts_.metadata.flows = std::exchange(setups_, KeptSetups()).all();
        }
    }

    /// Returns when all flows have ended: to their ends, because the user stops them, or because their receivers died.
    void watch(SendEngine& engine, MonoTime start) {
        MonoTime next_look = around_.clock.now() + kStepLookInterval;
        MonoTime next_line = start + kProgressInterval;
        while (not engine.finished()) {
            const MonoTime wake = around_.clock.now() + kTick;
            around_.clock.sleep_until(std::min(wake, engine.next_look().value_or(wake)));
            engine.look_at_connections(around_.clock.now(), around_.clock.wall_now());
            if (not facts_.interrupted and give_up_()) {
                facts_.interrupted = true;
                engine.stop();
            }
            fail_flows_of_lost_receivers(engine);
            if (doors_) {
                doors_->follow();
            }
            const MonoTime now = around_.clock.now();
            if (around_.show_progress and now >= next_line) {
                around_.show_progress(progress_.line(now - start, engine.progress()));
                next_line += kProgressInterval;
            }
            tell_so_far(engine, start);
            if (now >= next_look) {
                look_for_step();
                (void)conditions_->look();
                next_look = now + kStepLookInterval;
            }
        }
    }

    void look_for_step() {
        if (const auto step = step_watch_.look()) {
            facts_.own_steps.push_back({around_.clock.wall_now(), *step});
            events_.push_back(clock_stepped(*step, facts_.own_steps.back().at));
        }
    }

    void tell_so_far(const SendEngine& engine, MonoTime start) {
        const MonoTime now = around_.clock.now();
        if (not around_.shared or not around_.shared->so_far or now < std::max(start, next_so_far_)) {
            return;
        }
        facts_.elapsed = now - start;
        facts_.outcomes = outcomes_so_far(engine.progress());
        around_.shared->so_far(make_report(facts_));
        next_so_far_ = now + std::max(kProgressInterval, kSoFarRest * (around_.clock.now() - now));
    }

    void fail_flows_of_lost_receivers(SendEngine& engine) {
        for (std::size_t i = 0; i < facts_.receivers.size(); ++i) {
            const std::optional<std::string> why = links_.lost(i);
            if (not why or not facts_.receivers[i].lost.empty()) {
                continue;
            }
            facts_.receivers[i].lost = *why;
            events_.push_back({around_.clock.wall_now(), std::nullopt, "peer-lost", *why});
            for (const FlowId flow : facts_.receivers[i].flows) {
                if (--receivers_left_[flow] == 0) {  // the others of a group still take the packets
                    engine.fail(flow, *why);
                }
            }
        }
    }

    void finish() {
        // The request that ended the flows does not end the waiting as well: that takes one more.
        const unsigned enough = facts_.interrupted ? 2 : 1;
        std::vector<FinishOutcome> finished = links_.finish(
            finishes(facts_, options_.wait), [this, enough] { return around_.stop_requests() >= enough; });
        for (std::size_t i = 0; i < finished.size(); ++i) {
            facts_.receivers[i].finished = std::move(finished[i]);
        }
        std::vector<std::vector<ClockProbe>> probes = links_.probes();
        for (std::size_t i = 0; i < probes.size(); ++i) {
            facts_.receivers[i].probes = std::move(probes[i]);
        }
        look_for_step();
    }

    void note_doors() {
        if (not doors_) {
            return;
        }
        for (FlowOutcome& outcome : facts_.outcomes) {
            for (std::string& sentence : doors_->remarks(outcome.flow)) {
                outcome.remarks.push_back(std::move(sentence));
            }
        }
    }

    /// What the receivers have sent back may still be on its way.
    void await_replies(SendEngine& engine) {
        const unsigned enough = facts_.interrupted ? 2 : 1;
        const MonoTime deadline = around_.clock.now() + options_.wait;
        while (replies_are_out(facts_, engine.progress()) and around_.clock.now() < deadline and
               around_.stop_requests() < enough) {
            around_.clock.sleep_until(around_.clock.now() + kReplyTick);
        }
        engine.end_replies(facts_.outcomes);
    }

    void note_events(const SendReport& report) {
        const WallTime now = around_.clock.wall_now();
        if (facts_.interrupted) {
            events_.push_back(
                {now, std::nullopt, "interrupted", "the user stopped the run after " + human_time(facts_.elapsed)});
        }
        const std::vector<LogEvent> more = events_of_flows(report, now);
        events_.insert(events_.end(), more.begin(), more.end());
    }

    SenderOptions options_;   ///< its flows are in flows_
    ReservedCores reserved_;  ///< before anything that has threads
    RunSurroundings around_;
    RunFacts facts_;
    std::vector<FlowSpec> flows_;      ///< the experiment's, with the ports and sources of groups; until they are open
    std::vector<ReceiverPlan> plans_;  ///< until the receivers have started
    Progress progress_;
    Payloads payloads_;
    std::optional<SignalLine> signal_line_;  ///< outlives the channels
    ReceiverLinks links_;
    KeptSetups setups_{};  ///< while packets are sent
    DeviceQueues queues_{};
    std::optional<Doors> doors_;  ///< of a passive sender
    StepWatch step_watch_;
    GiveUp give_up_;
    std::map<FlowId, std::size_t> receivers_left_;  ///< sessions of each flow that go on
    std::vector<LogEvent> events_;
    std::optional<ConditionsWatch> conditions_;  ///< while packets are sent
    MonoTime next_so_far_{};
};

}  // namespace

SendReport send_run(SenderOptions options, RunSurroundings surroundings) {
    return SendRun(std::move(options), std::move(surroundings)).run();
}

}  // namespace groma
