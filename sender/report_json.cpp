#include "sender/report_json.hpp"

#include <nlohmann/json.hpp>

#include "common/log/fidelity_json.hpp"
#include "common/model/flow_text.hpp"
#include "common/stats/missing_fit.hpp"
#include "sender/pacing_report.hpp"
#include "sender/requirements.hpp"
#include "sender/verdict.hpp"

namespace groma {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;

std::string_view end_of(const FlowOutcome& outcome) {
    switch (outcome.end) {
        case FlowEnd::complete:
            return outcome.cut_short ? "cut_short" : "complete";
        case FlowEnd::interrupted:
            return "interrupted";
        case FlowEnd::failed:
            break;
    }
    return "failed";
}

Json spread_to_json(const LogHistogram& times) {
    Json object = percentiles_to_json(times);
    object["min"] = times.min();
    object["count"] = times.count();
    return object;
}

/// `received` may be null; `lost_forward` and `lost_backward` count only with it.
Json to_json(const RoundTrip& back, const ReceivedFlow* received, std::uint64_t lost_forward,
             std::uint64_t lost_backward) {
    const auto known = [received](std::uint64_t value) { return received != nullptr ? Json(value) : Json(nullptr); };
    return {{"replies", known(received != nullptr ? received->replies : 0)},
            {"not_replied", known(received != nullptr ? received->replies_lost : 0)},
            {"lost_forward", known(lost_forward)},
            {"lost_backward", known(lost_backward)},
            {"returned", back.returned},
            {"bytes", back.bytes},
            {"duplicates", back.duplicates},
            {"reordered", back.reordered},
            {"untimed", back.untimed},
            {"foreign", back.foreign},
            {"malformed", back.malformed},
            {"kernel_drops", back.kernel_drops},
            {"refused", back.refused},
            {"records_lost", back.records_lost},
            {"rtt_ns", spread_to_json(back.rtt_ns)},
            {"rtt_less_residence_ns", spread_to_json(back.rtt_less_residence_ns)}};
}

/// What both a flow and the total have.
void add_figures(Json& object, const FlowOutcome& outcome) {
    const Fidelity& f = outcome.fidelity;
    object["scheduled"] = {{"packets_per_s", f.scheduled_pps}, {"bits_per_s", f.scheduled_bps}};
    object["sent"] = {
        {"packets", f.packets}, {"bytes", f.bytes}, {"packets_per_s", f.sent_pps}, {"bits_per_s", f.sent_bps}};
    const auto rate_error = f.rate_error();
    object["rate_error"] = rate_error ? Json(*rate_error) : Json(nullptr);
    object["lateness_ns"] = percentiles_to_json(f.lateness_ns);
    object["late_packets"] = f.late_packets;
    add_gap_figures(object, f);
    object["draws"] = {{"gaps_raised", outcome.draws.gaps_raised},
                       {"gaps_redrawn", outcome.draws.gaps_redrawn},
                       {"sizes_raised", outcome.draws.sizes_raised},
                       {"sizes_lowered", outcome.draws.sizes_lowered}};
    object["not_sent"] = {{"dropped", outcome.dropped}, {"too_big", outcome.too_big}, {"given_up", outcome.given_up}};
    object["missed_slots"] = outcome.missed_slots;
    object["unsent_between"] = outcome.unsent_between;
    object["shifted_s"] = to_seconds(outcome.shifted);
    object["refused"] = outcome.refused;
    object["blocked"] = outcome.blocked;
    object["records_lost"] = outcome.records_lost;
    object["unstamped"] = outcome.unstamped;
    object["held_by_kernel"] = outcome.held_by_kernel;
    object["missed_in_queue"] = outcome.missed_in_queue;
}

Json to_json(const ReceivedFlow& received, std::uint64_t lost) {
    Json object{{"packets", received.packets},
                {"bytes", received.bytes},
                {"lost", lost},
                {"duplicates", received.duplicates},
                {"reordered", received.reordered},
                {"foreign", received.foreign},
                {"malformed", received.malformed},
                {"kernel_drops", received.kernel_drops},
                {"records_lost", received.records_lost},
                {"gro", nullptr}};
    if (const auto& gro = received.coalescing) {
        object["gro"] = {
            {"packets", gro->packets}, {"since_ns", ns_since_epoch(gro->since)}, {"why", in_words(gro->why)}};
    }
    return object;
}

Json to_json(const FlowReport& flow) {
    const Verdict verdict = judge(flow.outcome);
    Json object{{"id", flow.spec.id.value},
                {"name", flow.spec.name},
                {"transport", to_string(flow.spec.transport)},
                {"target", to_string(flow.spec.target)},
                {"local_address", flow.local_address},
                {"remote_address", flow.remote_address},
                {"profile", flow.spec.profile},
                {"departure", departure_in_words(flow.outcome.queue)},
                {"idt", idt_to_string(flow.spec.idt)},
                {"size", size_to_string(flow.spec.size)},
                {"lateness", to_string(flow.spec.lateness)},
                {"end", end_of(flow.outcome)},
                {"error", flow.outcome.error},
                {"remarks", flow.remarks},
                {"verdict", {{"result", to_string(verdict.result)}, {"text", verdict.text}}}};
    add_figures(object, flow.outcome);
    const std::string_view no_fit = why_no_fit(flow.spec, flow.outcome.fidelity);
    object["no_fit_because"] = no_fit.empty() ? Json(nullptr) : Json(no_fit);
    if (flow.received) {
        object["received"] = to_json(*flow.received, flow.lost());
        object["received"]["state"] = flow.received->state;
    } else {
        object["received"] = nullptr;
    }
    object["round_trip"] = nullptr;
    if (flow.outcome.round_trip) {
        object["round_trip"] = to_json(*flow.outcome.round_trip, flow.received ? &*flow.received : nullptr, flow.lost(),
                                       flow.lost_on_the_way_back());
    }
    for (const ReceivedBy& each : flow.receivers) {
        Json one{{"address", each.address}, {"received", nullptr}};
        if (each.received) {
            one["received"] = to_json(*each.received, each.lost(flow.outcome.fidelity.packets));
            one["received"]["state"] = each.received->state;
        }
        object["receivers"].push_back(std::move(one));
    }
    return object;
}

Json to_json(const LogShipment& shipment) {
    if (shipment.to.empty()) {
        return nullptr;
    }
    return {{"to", shipment.to},
            {"reconnections", shipment.reconnections},
            {"largest_backlog_bytes", shipment.largest_backlog},
            {"not_spooled_pieces", shipment.not_spooled},
            {"trouble", shipment.trouble}};
}

Json to_json(const ReceiverReport& receiver) {
    Json object{{"address", receiver.address},
                {"host", receiver.host},
                {"lost", receiver.lost},
                {"log_file", receiver.log_file},
                {"log_error", receiver.log_error},
                {"shipment", to_json(receiver.shipment)},
                {"same_clock", receiver.same_clock},
                {"clock", nullptr}};
    if (receiver.offset) {
        object["clock"] = to_json(*receiver.offset);
    }
    object["kernel_clock"] = receiver.clock ? Json(to_json(*receiver.clock)) : Json(nullptr);
    object["usage"] = receiver.usage ? to_json(*receiver.usage) : Json(nullptr);
    return object;
}

Json total_to_json(const SendReport& report) {
    Json total = Json::object();
    const FlowOutcome sent = total_outcome(report.flows);
    add_figures(total, sent);
    const auto received = total_received(report.flows);
    std::uint64_t lost = 0;
    std::uint64_t lost_forward = 0;
    std::uint64_t lost_backward = 0;
    for (const FlowReport& flow : report.flows) {
        lost += flow.lost();
        lost_forward += flow.outcome.round_trip ? flow.lost() : 0;
        lost_backward += flow.lost_on_the_way_back();
    }
    total["received"] = received ? to_json(*received, lost) : Json(nullptr);
    total["round_trip"] = nullptr;
    if (sent.round_trip) {
        total["round_trip"] = to_json(*sent.round_trip, received ? &*received : nullptr, lost_forward, lost_backward);
    }
    return total;
}

}  // namespace

std::string report_json(const SendReport& report) {
    const Verdict verdict = judge(report);
    Json object{
        {"format", kFormat},
        {"program", "groma-send"},
        {"version", GROMA_VERSION},
        {"run",
         {{"id", report.run_id},
          {"experiment", report.experiment},
          {"seed", report.seed},
          {"host", report.host},
          {"started_at_ns", ns_since_epoch(report.started_at)},
          {"elapsed_s", to_seconds(report.elapsed)},
          {"interrupted", report.interrupted}}},
        {"verdict", {{"result", to_string(verdict.result)}, {"text", verdict.text}, {"causes", verdict.causes}}},
        {"requirements", to_json(checked_requirements(report))},
        {"failures", failures(report)},
        {"total", total_to_json(report)},
        {"flows", Json::array()},
        {"receivers", Json::array()},
        {"log", nullptr}};
    object["run"]["kernel_clock"] = report.clock ? Json(to_json(*report.clock)) : Json(nullptr);
    object["run"]["pacing"] = to_json(report.pacing);
    object["run"]["usage"] = report.usage ? to_json(*report.usage) : Json(nullptr);
    object["run"]["conditions"] = report.conditions ? to_json(*report.conditions) : Json(nullptr);
    object["run"]["clock_steps"] = Json::array();
    for (const OwnStep& step : report.own_steps) {
        object["run"]["clock_steps"].push_back(Json(to_json(step)));
    }
    for (const FlowReport& flow : report.flows) {
        object["flows"].push_back(to_json(flow));
    }
    for (const ReceiverReport& receiver : report.receivers) {
        object["receivers"].push_back(to_json(receiver));
    }
    if (report.log) {
        object["log"] = {{"name", report.log->name},
                         {"records", report.log->records},
                         {"bytes", report.log->bytes},
                         {"error", report.log->error},
                         {"shipment", to_json(report.log->shipment)}};
    }
    // Names come from files and peers: what is no UTF-8 is replaced, not thrown at the user.
    return object.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace groma
