#include "reverse/run_part.hpp"

#include <algorithm>
#include <exception>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "common/os/thread_maker.hpp"
#include "sender/report/report_codec.hpp"

namespace groma {

RunPart::RunPart(SenderOptions options, JointRun joint, JointStart& start, RemoteSurroundings around)
    : options_(std::move(options)), start_(start), around_(std::move(around)), joint_(std::move(joint)) {
    joint_.ready = [this](Nanos margin) { start_.ready(margin); };
    joint_.start_at = [this] { return start_.start().now_known(); };
    around_.joint = &joint_;
    around_.stop_requests = [this, asked = around_.stop_requests] {
        return std::max(asked(), start_.called_off() ? 1U : 0U);
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
        errors_ = output.failures;
        if (not output.json.empty()) {
            take(from_json<SendReport>(nlohmann::json::parse(output.json)));
            errors_.clear();  // those of the merged report
        }
    } catch (const std::exception& error) {
        errors_.push_back(said_by() + error.what());
    }
    const std::string last = end();
    if (not report_) {
        start_.call_off();
        if (not last.empty()) {
            errors_.push_back(last);
        }
    }
}

/// The report is untrusted: its flows are those that were asked for. Throws: RunError.
void RunPart::take(SendReport report) {
    const std::vector<FlowSpec>& asked = options_.experiment.flows;
    const auto ids = [](const FlowReport& flow, const FlowSpec& spec) { return flow.spec.id == spec.id; };
    if (not std::ranges::equal(report.flows, asked, ids)) {
        throw RunError(who() + " reports other flows than it was asked for: install the same release on both hosts");
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

}  // namespace groma
