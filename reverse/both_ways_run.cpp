#include "reverse/both_ways_run.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/json/json_record.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/os/host.hpp"
#include "common/os/process.hpp"
#include "common/os/thread_maker.hpp"
#include "receiver/receiver_server.hpp"
#include "sender/plan/directions.hpp"
#include "sender/plan/receiver_plan.hpp"
#include "sender/report/merged_report.hpp"
#include "sender/report/report_codec.hpp"
#include "sender/report/report_json.hpp"
#include "sender/report/report_text.hpp"
#include "sender/run/awaited_start.hpp"
#include "sender/run/send_run.hpp"

namespace groma {

namespace {

/// On top of what every sender needs itself: until the others know of the start.
constexpr Nanos kToldOfStart = std::chrono::milliseconds(500);

/// All senders of the run start together, or none does. Thread: any.
class CommonStartOfAll {
public:
    CommonStartOfAll(std::size_t senders, Clock& clock) : senders_(senders), clock_(clock) {}

    /// One of the senders can start after `margin`.
    void ready(Nanos margin) {
        const std::lock_guard lock(mutex_);
        margin_ = std::max(margin_, margin);
        if (++ready_ == senders_) {
            start_.give(clock_.now() + margin_ + kToldOfStart);
        }
    }
    /// One of them has failed.
    void call_off() {
        called_off_ = true;
        start_.call_off();
    }
    [[nodiscard]] bool called_off() const { return called_off_ and not start_.now_known(); }
    [[nodiscard]] AwaitedStart& start() { return start_; }

private:
    std::size_t senders_;
    Clock& clock_;
    AwaitedStart start_;
    std::atomic<bool> called_off_{false};
    std::mutex mutex_;
    std::size_t ready_ = 0;
    Nanos margin_{0};
};

/// The receiver here, of flows from one host.
class OwnReceiver {
public:
    OwnReceiver(ReceiverServerOptions options, Clock& clock)
        : server_(std::move(options), clock), thread_([this] {
              set_thread_name("groma-receiver");
              server_.run();
          }) {}
    OwnReceiver(const OwnReceiver&) = delete;
    OwnReceiver& operator=(const OwnReceiver&) = delete;
    ~OwnReceiver() {
        server_.stop();
        thread_.join();
    }

private:
    ReceiverServer server_;
    std::thread thread_;
};

/// The flows from one host.
class ReversePart {
public:
    /// `options`: those of the whole run, with these flows and the names of their logs: `log` here, `receiver_log`
    /// there.
    ReversePart(SenderOptions options, std::string run_id, CommonStartOfAll& start, RemoteSurroundings around)
        : options_(std::move(options)), run_id_(std::move(run_id)), start_(start), around_(std::move(around)) {
        around_.reverse = &reverse_;
        around_.stop_requests = [this, asked = around_.stop_requests] {
            return std::max(asked(), start_.called_off() ? 1U : 0U);
        };
        thread_ = make_thread([this] { run(); });
    }
    ReversePart(const ReversePart&) = delete;
    ReversePart& operator=(const ReversePart&) = delete;
    ~ReversePart() { join(); }

    void join() {
        if (thread_.joinable()) {
            thread_.join();
        }
    }

    // Requires: join().
    [[nodiscard]] const std::optional<SendReport>& report() const { return report_; }
    [[nodiscard]] const std::vector<std::string>& errors() const { return errors_; }

private:
    void run() noexcept {
        try {
            const Target from = options_.experiment.flows.front().target;
            const RunOutput output = run_via(from, far_options(), around_);
            errors_ = output.failures;
            if (not output.json.empty()) {
                take(from_json<SendReport>(nlohmann::json::parse(output.json)));
                errors_.clear();  // those of the merged report
            }
        } catch (const std::exception& error) {
            errors_.emplace_back(error.what());
        }
        receiver_.reset();
        if (not report_) {
            start_.call_off();
            if (not last_said_.empty()) {
                errors_.push_back("the receiver here last said: " + last_said_);
            }
        }
    }

    /// The report is untrusted: its flows are those that were asked for. Throws: RunError.
    void take(SendReport report) {
        const std::vector<FlowSpec>& asked = options_.experiment.flows;
        const auto ids = [](const FlowReport& flow, const FlowSpec& spec) { return flow.spec.id == spec.id; };
        if (not std::ranges::equal(report.flows, asked, ids)) {
            throw RunError("the receiver at " + to_string(asked.front().target) +
                           " reports other flows than it was asked for: install the same release on both hosts");
        }
        for (std::size_t i = 0; i < asked.size(); ++i) {
            report.flows[i].spec = asked[i];
        }
        report.reverse_logs.clear();
        if (report.log) {
            report.log->name += " at " + report.host;
            report.reverse_logs.push_back(*std::exchange(report.log, std::nullopt));
        }
        report.clock.reset();  // of the other host, as are the steps
        report.own_steps.clear();
        report_ = std::move(report);
    }

    /// What the host that sends is asked for: what is near here is far there.
    [[nodiscard]] SenderOptions far_options() const {
        SenderOptions far = options_;
        far.log = options_.receiver_log;
        far.receiver_log = log_file_here();
        far.log_server = options_.receiver_log_server;
        far.receiver_log_server = options_.log_server;
        far.log_transport = options_.receiver_log_transport;
        far.receiver_log_transport = options_.log_transport;
        far.experiment.required.clear();
        return far;
    }

    [[nodiscard]] std::string log_file_here() const { return std::filesystem::path(options_.log).filename().string(); }

    void receive(const SocketAddress& sender, const std::string& name) {
        ReceiverServerOptions here;
        AskedSession asked{.run_id = run_id_,
                           .experiment = options_.experiment.name,
                           .log_file = log_file_here(),
                           .log_transport = std::string(to_string(options_.log_transport.value_or(LogTransport::tcp))),
                           .log_name_begins = std::string(kReceiverInReverse)};
        for (FlowSpec flow : options_.experiment.flows) {
            flow.from_host.clear();  // which do not travel
            flow.to_host.clear();
            asked.flows.emplace(flow.id, std::move(flow));
        }
        if (options_.log_server) {
            asked.log_server = to_string(*options_.log_server);
        }
        here.max_flows = asked.flows.size();
        here.dial = DialOptions{
            .host = sender.host_to_string(),
            .port = sender.port(),
            .name = name,
            .once = true,
            .key = options_.key ? options_.key->offered_to(options_.experiment.flows.front().target.host, sender)
                                : std::nullopt,
            .asked = std::move(asked)};
        const std::filesystem::path folder = std::filesystem::path(options_.log).parent_path();
        here.log_dir = folder.empty() ? "." : folder;
        here.replace_logs = options_.replace_log;
        here.threads.pin = options_.pin;
        here.threads.realtime = options_.realtime == Realtime::on ? Realtime::on : Realtime::off;
        here.say = [this](const std::string& line) {
            const std::lock_guard lock(said_mutex_);
            last_said_ = line;
        };
        here.block_records = options_.block_records;
        here.times = options_.times;
        here.spool = options_.spool_dir;
        here.offer = options_.offers();
        here.shipping.spool_bytes = options_.shipping.spool_bytes;
        receiver_.emplace(std::move(here), around_.clock);
    }

    SenderOptions options_;
    std::string run_id_;
    CommonStartOfAll& start_;
    RemoteSurroundings around_;
    ReverseRun reverse_{.run_id = run_id_,
                        .call = [this](const SocketAddress& sender, const std::string& name) { receive(sender, name); },
                        .ready = [this](Nanos margin) { start_.ready(margin); },
                        .start_at = [this] { return start_.start().now_known(); }};
    std::mutex said_mutex_;
    std::string last_said_;  ///< by the receiver, on its threads, until it has ended
    std::optional<OwnReceiver> receiver_;
    std::optional<SendReport> report_;
    std::vector<std::string> errors_;
    std::thread thread_;
};

/// The flows in reverse, by the hosts that send them.
std::vector<std::vector<FlowSpec>> by_sender(std::vector<FlowSpec> flows) {
    std::map<std::pair<std::string, std::uint16_t>, std::vector<FlowSpec>> groups;
    for (FlowSpec& flow : flows) {
        groups[{flow.target.host, flow.target.control_port}].push_back(std::move(flow));
    }
    std::vector<std::vector<FlowSpec>> parts;
    parts.reserve(groups.size());
    for (auto& [where, group] : groups) {
        parts.push_back(std::move(group));
    }
    return parts;
}

class BothWaysRun {
public:
    BothWaysRun(SenderOptions options, const RemoteSurroundings& around)
        : options_(std::move(options)),
          around_(around),
          back_(by_sender(take_reverse(options_.experiment.flows))),
          forward_(not options_.experiment.flows.empty()),
          start_(back_.size() + (forward_ ? 1 : 0), around.clock) {}

    BothWaysRun(const BothWaysRun&) = delete;
    BothWaysRun& operator=(const BothWaysRun&) = delete;
    /// When not all parts could begin, those that did wait for the start.
    ~BothWaysRun() { start_.call_off(); }

    RunOutput run() {
        for (std::vector<FlowSpec>& flows : back_) {
            start_part(std::move(flows));
        }
        std::optional<SendReport> own;
        if (forward_) {
            own = send();
        }
        std::vector<const SendReport*> reports;
        if (own) {
            reports.push_back(&*own);
        }
        for (const auto& part : parts_) {
            part->join();
            errors_.insert(errors_.end(), part->errors().begin(), part->errors().end());
            if (part->report()) {
                reports.push_back(&*part->report());
            }
        }
        if (reports.empty()) {
            throw RunError(all_errors());
        }
        SendReport whole = merged(reports);
        whole.run_id = run_id_;
        whole.experiment = options_.experiment.name;
        whole.seed = options_.experiment.seed;
        whole.required = options_.experiment.required;
        if (own) {
            whole.log = own->log;
        }
        return output(whole);
    }

private:
    void start_part(std::vector<FlowSpec> flows) {
        SenderOptions part = options_;
        std::string mark = forward_ ? "reverse" : "";
        if (back_.size() > 1) {
            const Target& target = flows.front().target;
            mark.append(mark.empty() ? "" : "-")
                .append(file_name_part(target.host + '-' + std::to_string(target.control_port)));
        }
        if (not mark.empty()) {
            part.log = with_mark(part.log, mark);
            part.receiver_log = with_mark(part.receiver_log, mark);
        }
        if (not part.log.empty() and not part.replace_log and std::filesystem::exists(part.log)) {
            throw RunError("log '" + part.log + "' is there already: give another name, or --force to replace it");
        }
        part.experiment.flows = std::move(flows);
        RemoteSurroundings around = around_;
        if (forward_ or not parts_.empty()) {
            around.show_progress = {};  // one line on the terminal
        }
        parts_.push_back(std::make_unique<ReversePart>(std::move(part), run_id_, start_, std::move(around)));
    }

    /// The flows from here.
    std::optional<SendReport> send() {
        try {
            return send_run(options_, {.clock = around_.clock,
                                       .stop_requests = around_.stop_requests,
                                       .show_progress = around_.show_progress,
                                       .rows = around_.rows,
                                       .shared = SharedRun{.run_id = run_id_,
                                                           .sender = "",
                                                           .agree_on_start =
                                                               [this](Nanos margin) {
                                                                   start_.ready(margin);
                                                                   return start_.start().wait();
                                                               }},
                                       .say = around_.say});
        } catch (const std::exception& error) {
            if (not start_.called_off()) {  // otherwise whoever called it off has the reason
                errors_.emplace_back(error.what());
            }
            start_.call_off();
            return std::nullopt;
        }
    }

    [[nodiscard]] RunOutput output(const SendReport& report) const {
        RunOutput out = output_of(report, options_.verbose);
        out.failures.insert(out.failures.begin(), errors_.begin(), errors_.end());
        return out;
    }

    [[nodiscard]] std::string all_errors() const {
        std::string text;
        for (const std::string& error : errors_) {
            text += (text.empty() ? "" : "\n") + error;
        }
        return text.empty() ? "nothing was sent" : text;
    }

    SenderOptions options_;  ///< its flows: those forward
    const RemoteSurroundings& around_;
    std::vector<std::vector<FlowSpec>> back_;
    bool forward_;
    std::string run_id_ = random_id();
    CommonStartOfAll start_;
    std::vector<std::unique_ptr<ReversePart>> parts_;
    std::vector<std::string> errors_;
};

}  // namespace

RunOutput output_of(const SendReport& report, bool verbose) {
    return {
        .text = plain_lines(report_text(report, verbose)), .json = report_json(report), .failures = failures(report)};
}

RunOutput run_both_ways(SenderOptions options, const RemoteSurroundings& around) {
    return BothWaysRun(std::move(options), around).run();
}

}  // namespace groma
