#include "sender/run/send_run.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "common/base/errors.hpp"
#include "common/log/cpu_counters.hpp"
#include "common/log/kernel_clock_health.hpp"
#include "common/log/log_name.hpp"
#include "common/log/sample_queue.hpp"
#include "common/model/flow/sharing.hpp"
#include "common/model/text/human.hpp"
#include "common/net/device/queue_drops.hpp"
#include "common/os/host.hpp"
#include "common/os/process.hpp"
#include "common/os/reserved_cores.hpp"
#include "common/os/usage.hpp"
#include "sender/engine/send_engine.hpp"
#include "sender/engine/send_stamps.hpp"
#include "sender/links/kept_setups.hpp"
#include "sender/plan/directions.hpp"
#include "sender/plan/targets.hpp"
#include "sender/run/log_folder.hpp"
#include "sender/run/log_taker.hpp"
#include "sender/run/log_totals.hpp"
#include "sender/run/run_channels.hpp"
#include "sender/run/run_facts.hpp"
#include "sender/run/run_watch.hpp"
#include "sender/run/sender_log.hpp"

namespace groma {

namespace {

constexpr Nanos kReplyTick = std::chrono::milliseconds(2);
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

RunFacts facts_at_the_beginning(const Experiment& experiment, const RunSurroundings& around) {
    RunFacts facts;
    facts.metadata = metadata_of(experiment);
    if (around.shared) {
        facts.metadata.run_id = around.shared->run_id;
    }
    return facts;
}

std::vector<ReceiverPlan> with_keys(std::vector<ReceiverPlan> plans, const OfferKey& offer) {
    for (ReceiverPlan& plan : plans) {
        plan.key = offer(plan.host, plan.address);
    }
    return plans;
}

class SendRun {
public:
    SendRun(SenderOptions options, RunSurroundings surroundings)
        : options_(std::move(options)),
          reserved_(options_.pin),
          around_(std::move(surroundings)),
          facts_(facts_at_the_beginning(options_.experiment, around_)),
          flows_(planned(take_flows())),
          plans_(with_secrets(options_.passive
                                  ? group_by_name(flows_)
                                  : with_keys(plan_receivers(flows_, around_.resolve), options_.offers()))),
          payloads_(flows_),
          links_(plans_, around_.clock, options_.times),
          give_up_([this] { return around_.stop_requests() > 0; }),
          channels_(options_, around_.clock, links_, give_up_),
          watch_({around_, give_up_, links_, facts_, events_}, flows_, plans_) {
        if (options_.bounds) {
            check_bounds(*options_.bounds, plans_);
        }
        facts_.serves = options_.serves;
        facts_.required = options_.experiment.required;
        facts_.metadata.wait = options_.wait;
        for (const ReceiverPlan& plan : plans_) {
            ReceiverFacts& receiver = facts_.receivers.emplace_back();
            receiver.address = plan.address;
            receiver.flows.reserve(plan.flows.size());
            for (const FlowSpec& flow : plan.flows) {
                receiver.flows.push_back(flow.id);
            }
        }
    }

    SendReport run() {
        if (not options_.logs.empty() or hands_on_receivers_logs()) {
            folder_.emplace(options_, around_);
        }
        SenderLog log(options_, around_.clock);  // before anything else is asked for
        std::vector<FlowToSend> flows = open(log);
        SendEngine engine(std::move(flows),
                          EngineOptions{.threads = options_.threads,
                                        .pin = options_.pin,
                                        .realtime = options_.realtime,
                                        .logged = log.wanted()},
                          around_.clock);
        const LiveRun::Following following(around_.live, [&engine] { return engine.progress(); });
        send(engine, log);
        finish();
        await_replies(engine);
        SendReport made = report(engine, log);
        if (around_.log_taker != nullptr) {
            around_.log_taker->take(made);
        }
        if (folder_) {
            folder_->fetch(links_, made);
        }
        if (around_.log_taker != nullptr and not options_.logs_for_client.own.empty()) {
            hand_on(log, *around_.log_taker);  // last: receivers give up the sessions of those that keep them waiting
        }
        return made;
    }

private:
    /// Sessions, channels and logs. Returns: the flows, ready to send.
    std::vector<FlowToSend> open(SenderLog& log) {
        make_room_for_sockets(sockets_of(flows_));
        if (options_.passive) {
            await_receivers(*options_.passive);
        }
        open_sessions();
        std::vector<FlowToSend> flows = open_channels();
        log.ship_to({.folder = experiment_folder(facts_.metadata.experiment, facts_.metadata.run_id),
                     .name = log_name_there(),
                     .shipper = around_.shipper,
                     .say = around_.say,
                     .resolve = options_.bounds ? within(*options_.bounds, around_.resolve) : around_.resolve});
        start_receivers();
        return flows;
    }

    /// From the common start to the last packet.
    void send(SendEngine& engine, SenderLog& log) {
        const MonoTime start = choose_start();
        log.begin(facts_.metadata);
        put_away_setups();
        give_back_memory();
        const CpuUsage before = process_usage();
        queues_.begin();
        watch_.begin();
        engine.start(start, log.writer());
        watch_.watch(engine, channels_.listeners(), start);
        facts_.outcomes = engine.wait();
        facts_.usage = process_usage() - before;
        facts_.conditions = watch_.conditions();
        facts_.pacing = engine.pacing();
        note_listeners();
        if (const std::uint64_t lost = engine.samples_lost(); lost > 0) {
            events_.push_back(samples_lost(lost, around_.clock.wall_now()));
        }
        facts_.elapsed = around_.clock.now() - start;
        watch_.end_rows(engine);
    }

    /// Closes the log.
    SendReport report(const SendEngine& engine, SenderLog& log) {
        take_out_setups();
        facts_.queue_drops = queues_.drops();
        SendReport report = make_report(facts_);
        note_events(report);
        watch_.last_row(report);
        if (around_.shared and around_.shared->counted) {
            around_.shared->counted(report);
        }
        LogTotals totals = log_totals(report, around_.clock.wall_now());
        add_cpu_usage(totals, report.usage.value_or(CpuUsage{}));
        report.log = log.close(events_, all_probes(facts_), totals, engine.log_error());
        return report;
    }

    [[nodiscard]] bool hands_on_receivers_logs() const {
        return around_.log_taker != nullptr and not options_.logs_for_client.receivers.empty();
    }

    void hand_on(SenderLog& log, LogTaker& taker) {
        const GiveUp stopped = one_more_stop(around_);
        try {
            SectionedLog& written = log.written();
            for (std::uint64_t offset = 0; not written.given(); offset += kLogSectionBytes) {
                if (stopped()) {
                    throw RunError("it was stopped on the way");
                }
                taker.take(0, options_.logs_for_client.own, written.section(offset));
            }
        } catch (const ProtocolError&) {
            throw;
        } catch (const std::runtime_error& error) {
            taker.lose(0, error.what());
        }
    }

    [[nodiscard]] std::vector<FlowSpec> take_flows() {
        options_.seal_flows();
        return std::exchange(options_.experiment.flows, {});
    }

    [[nodiscard]] std::vector<ReceiverPlan> with_secrets(std::vector<ReceiverPlan> plans) {
        for (ReceiverPlan& plan : plans) {
            plan.secrets = draw_secrets(plan.flows, secrets_);
        }
        return plans;
    }

    [[nodiscard]] std::optional<MacKey> seal_for(const FlowSpec& flow) const {
        const auto secret = secrets_.find(flow.id);
        return secret == secrets_.end() ? std::nullopt : std::optional(mac_key(secret->second.key));
    }

    /// With the ports and sources of groups, and with sockets that they share.
    [[nodiscard]] std::vector<FlowSpec> planned(std::vector<FlowSpec> flows) const {
        if (options_.passive) {
            return flows;
        }
        flows = complete_group_flows(std::move(flows), facts_.metadata.run_id, around_.resolve);
        const std::size_t sharing = share_sockets(flows, kMostOwnSockets, kFlowsPerSocket);
        if (sharing > 0 and around_.say) {
            around_.say(std::to_string(sharing) + " flows over UDP share sockets, " + std::to_string(kFlowsPerSocket) +
                        " each");
        }
        return flows;
    }

    /// Until all have called in; then their flows are awaited at listeners of their own.
    void await_receivers(const PassiveOptions& passive) {
        if (passive.call) {
            links_.await_call(*passive.call, passive.caller, options_.times.meeting, give_up_);
        } else {
            links_.await({.listen = passive.listen,
                          .keys = options_.keys,
                          .limit = passive.wait,
                          .say = around_.say,
                          .show_progress = around_.show_progress},
                         give_up_);
        }
        for (std::size_t i = 0; i < plans_.size(); ++i) {
            plans_[i] = links_.plan(i);
            facts_.receivers[i].address = plans_[i].address;
        }
        channels_.open_listeners(plans_);
    }

    void open_sessions() {
        Hello hello;
        hello.program = facts_.metadata.program;
        hello.run_id = facts_.metadata.run_id;
        hello.experiment = facts_.metadata.experiment;
        hello.for_client = options_.for_client;
        hello.host = facts_.metadata.host;
        hello.seed = facts_.metadata.seed;
        std::vector<OpenedReceiver> opened = links_.open(hello, give_up_);
        for (std::size_t i = 0; i < opened.size(); ++i) {
            facts_.receivers[i].opened = std::move(opened[i]);
        }
    }

    /// In the order of the experiment, whichever receivers they go to.
    std::vector<FlowToSend> open_channels() {
        std::map<FlowId, SocketAddress> data_addresses;
        for (const ReceiverFacts& receiver : facts_.receivers) {
            for (const OpenedFlow& flow : receiver.opened.ports) {
                data_addresses.emplace(flow.flow, receiver.address.with_port(flow.port));
            }
        }
        for (const FlowSpec& flow : flows_) {
            if (options_.bounds) {
                check_bounds(*options_.bounds, flow, data_addresses.at(flow.id));
            }
        }
        std::vector<std::unique_ptr<Channel>> channels = channels_.open(flows_, data_addresses);
        DeviceQueues devices;
        std::vector<FlowToSend> flows;
        flows.reserve(flows_.size());
        facts_.metadata.flows.reserve(flows_.size());
        for (std::size_t i = 0; i < flows_.size(); ++i) {
            if (flows_[i].target.host == kWhoeverCalls) {
                flows_[i].target.host = plans_.front().name;
            }
            for (const std::string& also : departure_times_in_words(flows_[i], *channels[i])) {
                name_times(also);
            }
            queues_.watch({channels[i]->local_address(), channels[i]->remote_address(), flows_[i].options.device},
                          devices);
            std::string local = channels[i]->local_address().to_string();
            std::string remote = channels[i]->remote_address().to_string();
            flows.push_back({flows_[i], std::move(channels[i]), &payloads_.of(flows_[i]), seal_for(flows_[i])});
            facts_.metadata.flows.push_back({std::move(flows_[i]), std::move(local), std::move(remote)});
        }
        // A hundred thousand specs take a hundred megabytes: those of the metadata are left. ("= {}" would keep them.)
        flows_ = std::vector<FlowSpec>();
        secrets_ = FlowSecrets();
        return flows;
    }

    /// One of several senders, whose logs have its name.
    [[nodiscard]] bool has_name() const { return around_.shared and not around_.shared->sender.empty(); }
    /// It sends to a peer that asked for it, which may send itself.
    [[nodiscard]] bool in_reverse() const { return options_.passive and options_.passive->call; }
    /// Where the receiver found this sender: "10.0.0.2-9000". Requires: in_reverse(), and its call.
    [[nodiscard]] std::string own_address() const {
        const SocketAddress own = links_.local_address(0);
        return file_name_part(own.host_to_string() + '-' + std::to_string(own.port()));
    }
    /// The log's name on a log server.
    [[nodiscard]] std::string log_name_there() const {
        return in_reverse() ? "sender-" + own_address() : has_name() ? "sender-" + around_.shared->sender : "sender";
    }

    void name_times(const std::string& also) {
        if (facts_.metadata.timestamps.find(also) == std::string::npos) {
            facts_.metadata.timestamps += also;
        }
    }

    void start_receivers() {
        if (folder_) {
            folder_->await(plans_);
        }
        std::vector<Start> starts;
        for (std::size_t i = 0; i < plans_.size(); ++i) {
            Start start;
            start.log_file = receiver_log_name(options_.receiver_log, plans_, i);
            if (in_reverse()) {
                start.log_name = std::string(kReceiverInReverse) + own_address();
            } else if (has_name()) {
                start.log_name = shared_receiver_log_name(plans_[i], around_.shared->sender);
                if (around_.shared->has_folder and not options_.receiver_log.empty()) {
                    start.log_file = start.log_name + ".glog";
                }
            }
            start.discard_log = options_.discard_receiver_log;
            if (folder_) {
                folder_->ask_for_log(start, facts_.metadata, plans_, i);
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
        facts_.metadata.started_at = wall_time_at(around_.clock, start);
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
        watch_.detect_step();
    }

    void note_listeners() {
        const FlowListeners* const listeners = channels_.listeners();
        if (listeners == nullptr) {
            return;
        }
        for (FlowOutcome& outcome : facts_.outcomes) {
            for (std::string& sentence : listeners->warnings(outcome.flow)) {
                outcome.warnings.push_back(std::move(sentence));
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
    FlowSecrets secrets_{};            ///< of the sealed ones, until they are open
    std::vector<ReceiverPlan> plans_;  ///< until the receivers have started
    Payloads payloads_;
    ReceiverLinks links_;
    KeptSetups setups_{};  ///< while packets are sent
    std::optional<LogFolder> folder_{};
    GiveUp give_up_;
    std::vector<LogEvent> events_{};
    QueueDropWatch queues_{};  ///< of the devices that packets take
    RunChannels channels_;
    RunWatch watch_;
};

}  // namespace

SendReport send_run(SenderOptions options, RunSurroundings surroundings) {
    return SendRun(std::move(options), std::move(surroundings)).run();
}

}  // namespace groma
