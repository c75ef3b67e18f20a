#include "joint/run_part.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/base/errors.hpp"
#include "common/control/reach.hpp"
#include "common/json/json_record.hpp"
#include "common/os/thread_maker.hpp"
#include "sender/report/report_codec.hpp"

namespace groma {

RunPart::RunPart(SenderOptions options, JointRun joint, JointStart& start, RemoteSurroundings around)
    : options_(std::move(options)), start_(start), around_(std::move(around)), joint_(std::move(joint)) {
    joint_.ready = [this](Nanos margin) { start_.ready(margin); };
    joint_.start_at = [this] { return start_.start().now_known(); };
    if (not options_.logs_for_client.own.empty()) {
        logs_.emplace(options_.logs, options_.logs_for_client);
        joint_.log = [this](const std::string& all, const RunLogSection& log) {
            logs_->take(log, report_before_logs(all));
        };
        joint_.log_lost = [this](const std::string& all, const RunLogLost& lost) {
            logs_->take(lost, report_before_logs(all));
        };
    }
    around_.joint = &joint_;
    around_.stop_requests = [this, asked = around_.stop_requests] {
        told_off_ = start_.called_off();
        return std::max(asked(), told_off_ ? 1U : 0U);
    };
}

RunPart::~RunPart() {
    join();
}

void RunPart::start() {
    joint_.call = call();
    thread_ = make_thread([this] { run(); });
}

void RunPart::join() {
    if (thread_.joinable()) {
        thread_.join();
    }
}

void RunPart::run() noexcept {
    try {
        const RunOutput output = run_via(where(), far_options(), around_);
        if (not report_ and not output.json.empty()) {
            take(output.json);
        }
        if (not report_) {  // else they are those of the merged report
            std::ranges::for_each(output.failures, [this](const std::string& failure) { add_error(failure); });
        }
    } catch (const std::exception& error) {
        add_error(error.what());
    }
    const std::string last = end();
    if (not report_ and not last.empty()) {
        errors_.push_back(last);
    }
    if (logs_) {
        logs_->finish(start_.start().now_known().has_value());
    }
    if (report_ and logs_) {
        logs_->note(*report_, errors_.empty() ? "" : errors_.front());
    }
    start_.call_off();
    if (told_off_ and not report_) {
        errors_.clear();  // whoever called it off has the reason
    }
}

void RunPart::say(const std::string& sentence) const {
    if (around_.say) {
        around_.say(sentence);
    }
}

/// Each of its lines says whose it is.
void RunPart::add_error(std::string error) {
    for (std::size_t end = error.find('\n'); end != std::string::npos; end = error.find('\n', end + 1)) {
        error.insert(end + 1, said_by());
    }
    errors_.push_back(said_by() + error);
}

void RunPart::take(const std::string& report) {
    take(from_json<SendReport>(nlohmann::json::parse(report)));
}

SendReport& RunPart::report_before_logs(const std::string& report) {
    if (not report_) {
        take(report);
    }
    return *report_;
}

/// The report is untrusted: its flows are those that were asked for, and its times are those of the run. Throws:
/// RunError.
void RunPart::take(SendReport report) {
    const std::optional<MonoTime> start = start_.start().now_known();
    if (not start) {
        throw RunError(who() + " reports of a run that has not begun: install the same release on both hosts");
    }
    const std::vector<FlowSpec>& asked = options_.experiment.flows;
    const auto ids = [](const FlowReport& flow, const FlowSpec& spec) { return flow.spec.id == spec.id; };
    if (not std::ranges::equal(report.flows, asked, ids)) {
        throw RunError(who() + " reports other flows than it was asked for: install the same release on both hosts");
    }
    for (std::size_t i = 0; i < asked.size(); ++i) {
        report.flows[i].spec = asked[i];
        report.flows[i].began = report.started_at;
    }
    report.remote_logs.clear();
    if (report.log) {
        report.log->name += " at " + report.host;  // until it is here
        report.remote_logs.push_back(*std::exchange(report.log, std::nullopt));
    }
    const Nanos since = std::max(clock().now() - *start, Nanos{0});
    report.started_at = clock().wall_now() - since;
    report.elapsed = std::clamp(report.elapsed, Nanos{0}, since);
    report.interrupted = report.interrupted and is_stopped();  // else its flows alone were, there
    if (report.serves == kServesAnyone) {
        for (FlowReport& flow : report.flows) {
            flow.warnings.push_back("its sender, " + who() +
                                    ", serves anyone (--open-to-anyone): strangers can have had a hand in it");
        }
    }
    report.serves.clear();  // of that host
    report.clock.reset();   // as are these
    report.own_steps.clear();
    report_ = std::move(report);
}

}  // namespace groma
