#include "mpi/run_outcome.hpp"

#include <nlohmann/json.hpp>

namespace groma {

namespace {

using nlohmann::json;

void add_sent(const SendReport& report, RunFigures& figures) {
    const FlowOutcome sent = total_outcome(report.flows);
    figures.verdict = to_string(judge(report).result);
    figures.scheduled_pps = sent.fidelity.scheduled_pps;
    figures.sent_pps = sent.fidelity.sent_pps;
    figures.rate_error = sent.fidelity.rate_error();
    figures.sent_packets = sent.fidelity.packets;
    figures.sent_bytes = sent.fidelity.bytes;
    if (sent.fidelity.packets > 0) {
        figures.lateness_p99_ns = static_cast<double>(sent.fidelity.lateness_ns.percentile(0.99));
    }
}

void add_received(const SendReport& report, RunFigures& figures) {
    const auto received = total_received(report.flows);
    if (not received) {
        return;
    }
    figures.received_packets = received->packets;
    figures.received_bytes = received->bytes;
    figures.duplicates = received->duplicates;
    figures.reordered = received->reordered;
    std::uint64_t lost = 0;
    for (const FlowReport& flow : report.flows) {
        if (not flow.received) {
            return;
        }
        lost += flow.lost();
    }
    figures.lost = lost;
}

std::optional<double> number_at(const json& object, const char* pointer) {
    const json::json_pointer place(pointer);
    if (not object.contains(place) or not object.at(place).is_number()) {
        return std::nullopt;
    }
    return object.at(place).get<double>();
}

}  // namespace

RunOutcome outcome_of(const JobReport& report) {
    RunOutcome outcome;
    outcome.run_id = report.whole.run_id;
    if (not report.whole.flows.empty()) {
        add_sent(report.whole, outcome.figures);
        add_received(report.whole, outcome.figures);
    }
    for (const std::string& reason : failures(report)) {
        outcome.state = RunState::failed;
        outcome.reason += outcome.reason.empty() ? reason : "; " + reason;
    }
    if (report.interrupted) {
        outcome.state = RunState::interrupted;
        outcome.reason = outcome.reason.empty() ? "the job was told to end" : outcome.reason;
    }
    return outcome;
}

void add_decoded(std::string_view groma_dec_json, RunFigures& figures) {
    const json object = json::parse(groma_dec_json, nullptr, false);
    if (object.is_discarded()) {
        return;
    }
    figures.throughput_bps = number_at(object, "/runs/0/total/throughput_bps");
    figures.delay_mean_ns = number_at(object, "/runs/0/total/delay_mean_ns");
    figures.delay_p50_ns = number_at(object, "/runs/0/total/delay_p50_ns");
    figures.delay_p99_ns = number_at(object, "/runs/0/total/delay_p99_ns");
    figures.delay_max_ns = number_at(object, "/runs/0/total/delay_max_ns");
}

}  // namespace groma
