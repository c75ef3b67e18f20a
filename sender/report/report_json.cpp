#include "sender/report/report_json.hpp"

#include <nlohmann/json.hpp>

#include "common/figures/figure_json.hpp"
#include "common/json/json_text.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/stats/clock/clock_step_figures.hpp"
#include "common/stats/fidelity/missing_fit.hpp"
#include "common/stats/fidelity/requirement_figures.hpp"
#include "sender/report/network_verdict.hpp"
#include "sender/report/pacing_report.hpp"
#include "sender/report/report_figures.hpp"
#include "sender/report/report_requirements.hpp"
#include "sender/report/report_screen.hpp"
#include "sender/report/verdict.hpp"

namespace groma {

namespace {

using Json = nlohmann::ordered_json;

std::string_view end_of(const FlowOutcome& outcome) {
    switch (outcome.counts.end) {
        case FlowEnd::complete:
            return outcome.counts.cut_short ? "cut_short" : "complete";
        case FlowEnd::interrupted:
            return "interrupted";
        case FlowEnd::failed:
            break;
    }
    return "failed";
}

Json gro_json(const ReceivedFlow* received) {
    if (received == nullptr or not received->coalescing) {
        return nullptr;
    }
    const Coalescing& gro = *received->coalescing;
    return {{"packets", gro.packets}, {"since_ns", ns_since_epoch(gro.since)}, {"why", in_words(gro.why)}};
}

Json verdict_json(const Verdict& verdict) {
    return {{"result", to_string(verdict.result)}, {"text", verdict.text}};
}

Json unless_empty(std::string_view text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

/// Adds the figures common to a flow and the total.
void add_figures(Json& object, const OutcomeCounts& counts) {
    object.update(figures_json(outcome_figures(), counts));
    object["gro"] = gro_json(counts.received.received);
    object["round_trip"] = counts.sent->round_trip ? figures_json(returned_figures(), counts) : Json(nullptr);
}

Json receiver_of_flow_json(const FlowReport& flow, const ReceivedBy& receiver) {
    const ReceivedFlow* const received = receiver.received ? &*receiver.received : nullptr;
    Json object{{"address", receiver.address}, {"state", received != nullptr ? Json(received->state) : Json(nullptr)}};
    object.update(figures_json(received_figures(), {received, flow.lost_by(receiver.received), receiver.delay_bound}));
    object["gro"] = gro_json(received);
    return object;
}

Json flow_json(const FlowReport& flow) {
    Json object{{"flow", flow.spec.id.value},
                {"name", flow.spec.name},
                {"transport", to_string(flow.spec.transport)},
                {"profile", flow.spec.profile},
                {"idt", idt_to_string(flow.spec.idt)},
                {"on_periods", flow.spec.on_off ? Json(period_to_string(flow.spec.on_off->on)) : Json(nullptr)},
                {"off_periods", flow.spec.on_off ? Json(period_to_string(flow.spec.on_off->off)) : Json(nullptr)},
                {"size", size_to_string(flow.spec.size)},
                {"response", flow.spec.response ? Json(size_to_string(*flow.spec.response)) : Json(nullptr)},
                {"in_flight", flow.spec.in_flight > 0 ? Json(flow.spec.in_flight) : Json(nullptr)},
                {"think", flow.spec.think ? Json(period_to_string(*flow.spec.think)) : Json(nullptr)},
                {"target", to_string(flow.spec.target)},
                {"from_host", flow.spec.from_host},
                {"direction", to_string(flow.spec.direction)},
                {"local_address", flow.local_address},
                {"remote_address", flow.remote_address},
                {"departure", departure_in_words(flow.outcome.queue)},
                {"lateness_policy", to_string(flow.spec.lateness)},
                {"sealed", flow.spec.seal == Sealing::on},
                {"end", end_of(flow.outcome)},
                {"error", flow.outcome.error},
                {"warnings", flow.warnings},
                {"verdict", verdict_json(judge(flow.outcome))}};
    object["rate_over_time"] = flow.spec.rate_over_time ? Json(to_string(*flow.spec.rate_over_time)) : Json(nullptr);
    object["requests_per_connection"] =
        flow.spec.requests_per_connection ? Json(size_to_string(*flow.spec.requests_per_connection)) : Json(nullptr);
    object["response_timeout_ns"] =
        flow.spec.response_timeout ? Json(flow.spec.response_timeout->count()) : Json(nullptr);
    object["state"] = flow.received ? Json(flow.received->state) : Json(nullptr);
    add_figures(object, counts_of(flow));
    object["no_schedule_because"] = unless_empty(why_no_schedule(flow.outcome.fidelity));
    object["no_fit_because"] = unless_empty(why_no_fit(flow.spec, flow.outcome.fidelity));
    const FlowCourse course = course_of(flow.outcome);
    const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
    object["nominal_pps"] = number(nominal_pps(flow.spec));
    object["realised_pps"] =
        course.whole ? number(realised_pps(flow.spec, flow.outcome.fidelity.packets)) : Json(nullptr);
    object["notes"] = notes_on_rate(flow.spec, flow.outcome.fidelity, course);
    object["receivers"] = Json::array();
    for (const ReceivedBy& each : flow.receivers) {
        object["receivers"].push_back(receiver_of_flow_json(flow, each));
    }
    return object;
}

Json shipment_json(const LogShipment& shipment) {
    if (shipment.to.empty()) {
        return nullptr;
    }
    return {{"to", shipment.to},
            {"reconnections", shipment.reconnections},
            {"largest_backlog_bytes", shipment.largest_backlog},
            {"not_spooled_pieces", shipment.not_spooled},
            {"last_error", shipment.error}};
}

Json receiver_json(const ReceiverReport& receiver) {
    Json object = figures_json(receiver_figures(), receiver);
    object["clock_steps"] =
        rows_json(clock_step_figures(), receiver.offset ? receiver.offset->steps : std::vector<ClockStep>());
    object["shipment"] = shipment_json(receiver.shipment);
    return object;
}

Json run_json(const SendReport& report) {
    Json run = figures_json(send_run_figures(), report);
    run["clock_steps"] = rows_json(own_step_figures(), report.own_steps);
    run["queue_drops"] = rows_json(queue_drop_figures(), report.queue_drops);
    run["pacing"] = to_json(report.pacing);
    return run;
}

Json log_json(const LogReport& log) {
    return {{"name", log.name},
            {"records", log.records},
            {"bytes", log.bytes},
            {"error", log.error},
            {"shipment", shipment_json(log.shipment)}};
}

}  // namespace

nlohmann::ordered_json total_json(const SendReport& report) {
    const FlowOutcome sent = total_outcome(report.flows);
    const auto received = total_received(report);
    const RoundTripLosses round_trips = total_round_trip_losses(report.flows);
    OutcomeCounts counts{.sent = &sent,
                         .received = {.received = received ? &*received : nullptr, .lost = total_lost(report.flows)},
                         .forward_lost = round_trips.forward.number,
                         .backward_lost = round_trips.backward};
    if (received and received->delays) {
        counts.received.delay_bound = largest_delay_bound(report.flows);
    }
    MissingFits missing;
    for (const FlowReport& flow : report.flows) {
        const Fidelity& fidelity = flow.outcome.fidelity;
        missing.add(flow.spec.name, fidelity, why_no_fit(flow.spec, fidelity));
    }
    Json total{{"flows", report.flows.size()}};
    add_figures(total, counts);
    total["no_fit_because"] = unless_empty(sent.fidelity.fit ? std::string_view() : missing.why());
    return total;
}

std::string report_json(const SendReport& report) {
    const Verdict verdict = judge(report);
    Json object{{"schema", "groma-send 2"},
                {"program", "groma-send " GROMA_VERSION},
                {"run", run_json(report)},
                {"verdict", verdict_json(verdict)},
                {"requirements", rows_json(requirement_figures(), checked_requirements(report))},
                {"errors", failures(report)},
                {"total", total_json(report)},
                {"flows", array_of(report.flows, flow_json)},
                {"receivers", array_of(report.receivers, receiver_json)},
                {"log", report.log ? log_json(*report.log) : Json(nullptr)},
                {"remote_logs", array_of(report.remote_logs, log_json)}};
    object["verdict"]["causes"] = verdict.causes;
    const NetworkVerdict network = judge_network(report);
    object["network"] = {{"result", to_string(network.result)}, {"text", network.text}};
    object["result"] = result_line(report);
    // Names come from files and peers: invalid UTF-8 is replaced.
    return json_text(object, 2) + '\n';
}

}  // namespace groma
