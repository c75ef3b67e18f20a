#include "decoder/json_report.hpp"

#include <functional>

#include "common/figures/figure_json.hpp"
#include "common/log/fidelity_json.hpp"
#include "common/model/flow_text.hpp"
#include "common/stats/missing_fit.hpp"
#include "decoder/figures.hpp"
#include "decoder/json_measured.hpp"
#include "decoder/json_parts.hpp"
#include "decoder/json_patterns.hpp"
#include "decoder/json_pieces.hpp"

namespace groma {

namespace {

Json to_json(const ClockState& clock) {
    Json json{
        {"state", to_string(clock.kind)}, {"offset_ns", nullptr}, {"bound_ns", nullptr}, {"probes", clock.probes}};
    if (clock.absolute()) {
        json["offset_ns"] = clock.offset.count();
        json["bound_ns"] = clock.bound.count();
    }
    json["skew_ppm"] = json["skew_error_ppm"] = nullptr;
    if (clock.kind == ClockState::Kind::probed) {
        json["skew_ppm"] = clock.fit.pieces.front().skew * 1e6;
        json["skew_error_ppm"] = clock.fit.pieces.front().skew_error * 1e6;
    }
    json["steps"] = rows_json(clock_step_figures(), clock.fit.steps);
    return json;
}

Json to_json(const std::vector<std::pair<std::string, std::uint64_t>>& counters) {
    Json json = Json::object();
    for (const auto& [name, count] : counters) {
        json[name] = count;
    }
    return json;
}

Json fidelity_json(const Fidelity& fidelity, const Spread& lateness) {
    Json json{{"scheduled_pps", fidelity.scheduled_pps},
              {"sent_pps", fidelity.sent_pps},
              {"scheduled_bps", fidelity.scheduled_bps},
              {"sent_bps", fidelity.sent_bps},
              {"rate_error", or_null(fidelity.rate_error())},
              {"lateness_ns", to_json(lateness)},
              {"late_packets", fidelity.late_packets},
              {"alone", fidelity.alone},
              {"batched", fidelity.batched},
              {"largest_batch", fidelity.largest_batch}};
    add_gap_figures(json, fidelity);
    return json;
}

Json sent_json(const std::optional<SentFigures>& sent) {
    if (not sent) {
        return nullptr;
    }
    return {{"packets", sent->packets},
            {"bytes", sent->bytes},
            {"duration_s", seconds_or_null(sent->duration)},
            {"gaps_ns", to_json(sent->gaps_ns)},
            {"sizes", to_json(sent->sizes)},
            {"whole", sent->whole},
            {"records_missing", sent->records_missing},
            {"counters", to_json(sent->counters)}};
}

Json received_json(const std::optional<ReceivedFigures>& received) {
    if (not received) {
        return nullptr;
    }
    return {{"packets", received->packets},
            {"bytes", received->bytes},
            {"duration_s", seconds_or_null(received->duration)},
            {"throughput_bps", or_null(received->throughput_bps)},
            {"packet_rate_pps", or_null(received->packet_rate_pps)},
            {"throughput_ip_bps", or_null(received->throughput_ip_bps)},
            {"throughput_ethernet_bps", or_null(received->throughput_ethernet_bps)},
            {"headers_unknown_because",
             received->headers_unknown_because.empty() ? Json(nullptr) : Json(received->headers_unknown_because)},
            {"delay_ns", to_json(received->delay_ns)},
            {"jitter_ditg_ns", or_null(received->jitter_ditg_ns)},
            {"jitter_rfc3550_ns", or_null(received->jitter_rfc3550_ns)},
            {"pdv_ns", to_json(received->pdv_ns)},
            {"ipdv_ns", to_json(received->ipdv_ns)},
            {"ipdv_missed", or_null(received->ipdv_missed)},
            {"duplicates", received->duplicates},
            {"packets_with_copies", received->copied},
            {"reordered", received->reordered},
            {"beyond_window", received->beyond_window},
            {"without_sequence_number", received->unnumbered},
            {"without_departure_time", received->undated},
            {"gaps_ns", to_json(received->gaps_ns)},
            {"sizes", to_json(received->sizes)},
            {"whole", received->whole},
            {"records_missing", received->records_missing},
            {"counters", to_json(received->counters)}};
}

Json loss_json(const FlowFigures& figures) {
    const Loss& loss = figures.loss;
    return {{"packets", or_null(loss.packets)},
            {"ratio", or_null(figures.lost_ratio())},
            {"at_least", or_null(loss.at_least)},
            {"unknown_because", loss.unknown_because.empty() ? Json(nullptr) : Json(loss.unknown_because)}};
}

Json fidelity_json(const FlowResult& flow) {
    if (not flow.sent) {
        return nullptr;
    }
    Json json = fidelity_json(flow.sent->fidelity, flow.sent->lateness_ns);
    const std::string_view no_fit = why_no_fit(flow.spec, flow.sent->fidelity);
    json["no_fit_because"] = no_fit.empty() ? Json(nullptr) : Json(no_fit);
    return json;
}

}  // namespace

Json flow_json(const FlowResult& flow) {
    const FlowSpec& spec = flow.spec;
    return {{"flow", spec.id.value},
            {"name", spec.name},
            {"transport", std::string(to_string(spec.transport))},
            {"profile", spec.profile},
            {"idt", idt_to_string(spec.idt)},
            {"size", size_to_string(spec.size)},
            {"target", to_string(spec.target)},
            {"receiver", flow.receiver.empty() ? Json(nullptr) : Json(flow.receiver)},
            {"receiver_number", flow.receiver_number},
            {"receivers", flow.receivers},
            {"fidelity", fidelity_json(flow)},
            {"sent", sent_json(flow.sent)},
            {"received", received_json(flow.received)},
            {"lost", loss_json(flow)},
            {"loss_pattern", loss_pattern_json(flow.loss_pattern)},
            {"reordering", reordering_json(flow.received)},
            {"round_trip", round_trip_json(flow.round_trip)},
            {"transmit", transmit_json(flow.transmit)},
            {"connections", array_of(flow.connections, connection_json)},
            {"arrival_header", arrival_header_json(flow.arrival_header)},
            {"clock", to_json(flow.clock)},
            {"notes", flow.notes},
            {"series", rows_json(series_figures(), flow.series.rows())}};
}

Json total_json(const TotalResult& total) {
    const auto sent = [&](auto figure) { return total.sent ? Json(std::invoke(figure, *total.sent)) : Json(nullptr); };
    const auto fidelity = [&](auto figure) {
        return total.sent ? Json(std::invoke(figure, total.sent->fidelity)) : Json(nullptr);
    };
    const auto count = [&](auto figure) {
        return total.received ? Json(std::invoke(figure, *total.received)) : Json(nullptr);
    };
    const ReceivedFigures received = total.received.value_or(ReceivedFigures());
    return {{"flows", total.flows},
            {"scheduled_pps", fidelity(&Fidelity::scheduled_pps)},
            {"sent_pps", fidelity(&Fidelity::sent_pps)},
            {"lateness_ns", total.sent ? to_json(total.sent->lateness_ns) : Json(nullptr)},
            {"late_packets", fidelity(&Fidelity::late_packets)},
            {"fidelity", total.sent ? fidelity_json(total.sent->fidelity, total.sent->lateness_ns) : Json(nullptr)},
            {"sent_packets", sent(&SentFigures::packets)},
            {"sent_bytes", sent(&SentFigures::bytes)},
            {"due_packets", or_null(total.due_packets)},
            {"received_packets", count(&ReceivedFigures::packets)},
            {"received_bytes", count(&ReceivedFigures::bytes)},
            {"duration_s", seconds_or_null(received.duration)},
            {"throughput_bps", or_null(received.throughput_bps)},
            {"packet_rate_pps", or_null(received.packet_rate_pps)},
            {"throughput_ip_bps", or_null(received.throughput_ip_bps)},
            {"throughput_ethernet_bps", or_null(received.throughput_ethernet_bps)},
            {"delay_ns", to_json(received.delay_ns)},
            {"jitter_ditg_ns", or_null(received.jitter_ditg_ns)},
            {"pdv_ns", to_json(received.pdv_ns)},
            {"ipdv_ns", to_json(received.ipdv_ns)},
            {"ipdv_missed", or_null(received.ipdv_missed)},
            {"lost", loss_json(total)},
            {"loss_pattern", loss_pattern_json(total.loss_pattern)},
            {"reordering", reordering_json(total.received)},
            {"duplicates", count(&ReceivedFigures::duplicates)},
            {"packets_with_copies", count(&ReceivedFigures::copied)},
            {"reordered", count(&ReceivedFigures::reordered)},
            {"series", rows_json(series_figures(), total.series)}};
}

Json group_head_json(const GroupResult& group, const std::vector<GroupKey>& keys) {
    Json json{{"name", group.name}};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        json[std::string(to_string(keys[i]))] = group.values[i];
    }
    json["members"] = array_of(group.flows, [](const auto& member) {
        return Json{{"flow", member.first.value}, {"receiver_number", member.second}};
    });
    return json;
}

namespace {

Json cpu_json(const LogResult& log) {
    if (not log.cpu) {
        return nullptr;
    }
    return {{"user_s", to_seconds(log.cpu->user)},
            {"system_s", to_seconds(log.cpu->system)},
            {"voluntary_switches", log.cpu->voluntary_switches},
            {"involuntary_switches", log.cpu->involuntary_switches},
            {"ns_per_packet", or_null(log.cpu_ns_per_packet())}};
}

}  // namespace

Json log_json(const LogResult& log) {
    Json events = Json::array();
    for (const LogEvent& event : log.events) {
        events.push_back({{"at_ns", ns_since_epoch(event.at)},
                          {"flow", event.flow ? Json(event.flow->value) : Json(nullptr)},
                          {"kind", event.kind},
                          {"text", event.text}});
    }
    return {{"log", log.path},
            {"role", log.metadata.role == LogRole::sender ? "sender" : "receiver"},
            {"host", log.metadata.host},
            {"program", log.metadata.program},
            {"timestamps", log.metadata.timestamps},
            {"clock", clock_health_json(log.metadata.clock)},
            {"cpu", cpu_json(log)},
            {"records", log.records},
            {"end", log.totals ? Json(log.totals->end) : Json(nullptr)},
            {"gaps", rows_json(log_gap_figures(), log.gaps)},
            {"events", events}};
}

namespace {

Json to_json(const Selection& selection) {
    const auto& sizes = selection.sizes;
    return {{"from_s", seconds_or_null(selection.from)},
            {"until_s", seconds_or_null(selection.until)},
            {"size_least", sizes ? Json(sizes->least) : Json(nullptr)},
            {"size_most", sizes ? Json(sizes->most) : Json(nullptr)}};
}

}  // namespace

Json run_head_json(const RunResult& run) {
    return {{"run_id", run.run_id},
            {"experiment", run.experiment},
            {"started_ns", ns_since_epoch(run.started_at)},
            {"seed", run.seed},
            {"interval_ns", run.interval.count()},
            {"selection", to_json(run.selection)},
            {"clock", to_json(run.clock)}};
}

Json group_json(const GroupResult& group, const std::vector<GroupKey>& keys) {
    Json json = group_head_json(group, keys);
    json["total"] = total_json(group.total);
    return json;
}

namespace {

Json run_json(const RunResult& run) {
    Json json = run_head_json(run);
    json["logs"] = array_of(run.logs, log_json);
    json["flows"] = array_of(run.flows, flow_json);
    json["total"] = total_json(run.total);
    json["groups"] = array_of(run.groups, [&](const GroupResult& it) { return group_json(it, run.group_keys); });
    json["requirements"] = to_json(run.requirements);
    return json;
}

}  // namespace

std::string json_report(const Results& results) {
    const Json json{{"schema", "groma-dec 1"},
                    {"program", "groma-dec " GROMA_VERSION},
                    {"complete", not results.damaged},
                    {"warnings", results.warnings},
                    {"runs", array_of(results.runs, run_json)}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace groma
