#include "mpi/report_codec.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/base/errors.hpp"
#include "common/control/json_fields.hpp"
#include "common/model/flow_json.hpp"
#include "mpi/fidelity_codec.hpp"

namespace groma {

namespace {

using nlohmann::json;

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::size_t kLongestText = 4096;
constexpr std::size_t kMostEntries = 100'000;

std::vector<std::string> texts(const JsonFields& fields, const char* name) {
    std::vector<std::string> all;
    const json& list = fields.array(name, kMostEntries);
    all.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        all.push_back(text_at(list, i, name, kLongestText));
    }
    return all;
}

json encode(const CpuUsage& usage) {
    return {{"user_ns", usage.user.count()},
            {"system_ns", usage.system.count()},
            {"voluntary", usage.voluntary_switches},
            {"involuntary", usage.involuntary_switches}};
}

/// Nothing when there is no such field.
std::optional<CpuUsage> decode_usage(const JsonFields& fields) {
    if (not fields.has("usage")) {
        return std::nullopt;
    }
    const JsonFields usage(fields.at("usage"));
    return CpuUsage{.user = Nanos(usage.signed_number("user_ns")),
                    .system = Nanos(usage.signed_number("system_ns")),
                    .voluntary_switches = usage.number("voluntary", 0, kMost),
                    .involuntary_switches = usage.number("involuntary", 0, kMost)};
}

json encode(const CpuConditions& conditions) {
    return {{"throttled", conditions.throttled_times},
            {"throttled_ns", conditions.throttled.count()},
            {"stolen_ns", conditions.stolen.count()},
            {"lowest_khz", conditions.lowest_khz},
            {"highest_khz", conditions.highest_khz}};
}

CpuConditions decode_conditions(const json& object) {
    const JsonFields conditions(object);
    return {.throttled_times = conditions.number("throttled", 0, kMost),
            .throttled = Nanos(conditions.signed_number("throttled_ns")),
            .stolen = Nanos(conditions.signed_number("stolen_ns")),
            .lowest_khz = conditions.number("lowest_khz", 0, kMost),
            .highest_khz = conditions.number("highest_khz", 0, kMost)};
}

json encode(const PacingFacts& pacing) {
    return {{"threads", pacing.threads},
            {"pinned", pacing.pinned},
            {"realtime", pacing.realtime},
            {"remarks", pacing.remarks}};
}

PacingFacts decode_pacing(const json& object) {
    constexpr unsigned kHighest = std::numeric_limits<unsigned>::max();
    const JsonFields fields(object);
    PacingFacts pacing;
    pacing.threads = static_cast<unsigned>(fields.number("threads", 0, kHighest));
    for (std::size_t i = 0; i < fields.array("pinned", kMostEntries).size(); ++i) {
        pacing.pinned.push_back(
            static_cast<unsigned>(std::min<std::uint64_t>(number_at(fields.at("pinned"), i, "pinned"), kHighest)));
    }
    pacing.realtime = fields.flag("realtime");
    pacing.remarks = texts(fields, "remarks");
    return pacing;
}

json encode(const FlowOutcome& outcome) {
    return {{"end", static_cast<int>(outcome.end)},
            {"error", outcome.error},
            {"fidelity", encode(outcome.fidelity)},
            {"gaps_raised", outcome.draws.gaps_raised},
            {"gaps_redrawn", outcome.draws.gaps_redrawn},
            {"sizes_raised", outcome.draws.sizes_raised},
            {"sizes_lowered", outcome.draws.sizes_lowered},
            {"dropped", outcome.dropped},
            {"too_big", outcome.too_big},
            {"refused", outcome.refused},
            {"given_up", outcome.given_up},
            {"missed_slots", outcome.missed_slots},
            {"unsent_between", outcome.unsent_between},
            {"shifted_ns", outcome.shifted.count()},
            {"remarks", outcome.remarks},
            {"blocked", outcome.blocked},
            {"records_lost", outcome.records_lost},
            {"unstamped", outcome.unstamped},
            {"queue", outcome.queue},
            {"held_by_kernel", outcome.held_by_kernel},
            {"missed_in_queue", outcome.missed_in_queue},
            {"cut_short", outcome.cut_short}};
}

json encode(const RoundTrip& back) {
    return {{"returned", back.returned},
            {"bytes", back.bytes},
            {"duplicates", back.duplicates},
            {"reordered", back.reordered},
            {"untimed", back.untimed},
            {"odd_residence", back.odd_residence},
            {"foreign", back.foreign},
            {"malformed", back.malformed},
            {"kernel_drops", back.kernel_drops},
            {"refused", back.refused},
            {"records_lost", back.records_lost},
            {"rtt_ns", encode(back.rtt_ns)},
            {"rtt_less_residence_ns", encode(back.rtt_less_residence_ns)}};
}

RoundTrip decode_round_trip(const json& object) {
    const JsonFields fields(object);
    const auto count = [&](const char* name) { return fields.number(name, 0, kMost); };
    return {.returned = count("returned"),
            .bytes = count("bytes"),
            .duplicates = count("duplicates"),
            .reordered = count("reordered"),
            .untimed = count("untimed"),
            .odd_residence = count("odd_residence"),
            .foreign = count("foreign"),
            .malformed = count("malformed"),
            .kernel_drops = count("kernel_drops"),
            .refused = count("refused"),
            .records_lost = count("records_lost"),
            .rtt_ns = decode_histogram(fields.at("rtt_ns")),
            .rtt_less_residence_ns = decode_histogram(fields.at("rtt_less_residence_ns"))};
}

/// `asked`: the model of the flow's gaps, if it has one.
FlowOutcome decode_outcome(const json& object, std::shared_ptr<const GapModel> asked) {
    const JsonFields fields(object);
    const auto count = [&](const char* name) { return fields.number(name, 0, kMost); };
    FlowOutcome outcome;
    outcome.end = static_cast<FlowEnd>(fields.number("end", 0, static_cast<std::uint64_t>(FlowEnd::failed)));
    outcome.error = fields.text("error", kLongestText);
    outcome.fidelity = decode_fidelity(fields.at("fidelity"), std::move(asked));
    outcome.draws = {count("gaps_raised"), count("gaps_redrawn"), count("sizes_raised"), count("sizes_lowered")};
    outcome.dropped = count("dropped");
    outcome.too_big = count("too_big");
    outcome.refused = count("refused");
    outcome.given_up = count("given_up");
    outcome.missed_slots = count("missed_slots");
    outcome.unsent_between = count("unsent_between");
    outcome.shifted = Nanos(fields.signed_number("shifted_ns"));
    outcome.remarks = texts(fields, "remarks");
    outcome.blocked = count("blocked");
    outcome.records_lost = count("records_lost");
    outcome.unstamped = count("unstamped");
    outcome.queue = fields.text("queue", kLongestText);
    outcome.held_by_kernel = count("held_by_kernel");
    outcome.missed_in_queue = count("missed_in_queue");
    outcome.cut_short = fields.flag("cut_short");
    return outcome;
}

json encode(const ReceivedFlow& flow) {
    json object{{"packets", flow.packets},
                {"bytes", flow.bytes},
                {"duplicates", flow.duplicates},
                {"reordered", flow.reordered},
                {"foreign", flow.foreign},
                {"malformed", flow.malformed},
                {"kernel_drops", flow.kernel_drops},
                {"records_lost", flow.records_lost},
                {"replies", flow.replies},
                {"replies_lost", flow.replies_lost},
                {"state", flow.state}};
    if (const auto& gro = flow.coalescing) {
        object["coalescing"] = {{"packets", gro->packets},
                                {"since_ns", ns_since_epoch(gro->since)},
                                {"why", static_cast<unsigned>(gro->why)}};
    }
    return object;
}

std::optional<Coalescing> decode_coalescing(const JsonFields& flow) {
    if (not flow.has("coalescing")) {
        return std::nullopt;
    }
    const JsonFields fields(flow.at("coalescing"));
    return Coalescing{
        .packets = fields.number("packets", 0, kMost),
        .since = wall_time_from_ns(fields.signed_number("since_ns")),
        .why = static_cast<GroReason>(fields.number("why", 0, static_cast<std::uint64_t>(GroReason::drops)))};
}

ReceivedFlow decode_received(const json& object, FlowId flow) {
    const JsonFields fields(object);
    const auto count = [&](const char* name) { return fields.number(name, 0, kMost); };
    return {.flow = flow,
            .packets = count("packets"),
            .bytes = count("bytes"),
            .duplicates = count("duplicates"),
            .reordered = count("reordered"),
            .foreign = count("foreign"),
            .malformed = count("malformed"),
            .kernel_drops = count("kernel_drops"),
            .records_lost = count("records_lost"),
            .replies = count("replies"),
            .replies_lost = count("replies_lost"),
            .state = fields.text("state", kLongestText),
            .coalescing = decode_coalescing(fields)};
}

json encode(const FlowReport& flow) {
    json object = {{"spec", to_json(flow.spec)},  {"from", flow.spec.from_host},   {"to", flow.spec.to_host},
                   {"local", flow.local_address}, {"remote", flow.remote_address}, {"outcome", encode(flow.outcome)},
                   {"remarks", flow.remarks}};
    if (flow.received) {
        object["received"] = encode(*flow.received);
    }
    if (flow.outcome.round_trip) {
        object["round_trip"] = encode(*flow.outcome.round_trip);
    }
    for (const ReceivedBy& each : flow.receivers) {
        json one = {{"address", each.address}};
        if (each.received) {
            one["received"] = encode(*each.received);
        }
        object["receivers"].push_back(std::move(one));
    }
    return object;
}

ReceivedBy decode_receiver_of_flow(const json& object, FlowId flow) {
    const JsonFields fields(object);
    ReceivedBy one{fields.text("address", kLongestText), std::nullopt};
    if (fields.has("received")) {
        one.received = decode_received(fields.at("received"), flow);
    }
    return one;
}

FlowReport decode_flow(const json& object, GapModels& models) {
    const JsonFields fields(object);
    FlowReport flow;
    flow.spec = flow_spec_from_json(fields.at("spec"));
    flow.spec.from_host = fields.text("from", kLongestText);
    flow.spec.to_host = fields.text("to", kLongestText);
    flow.local_address = fields.text("local", kLongestText);
    flow.remote_address = fields.text("remote", kLongestText);
    flow.outcome = decode_outcome(fields.at("outcome"), models.of(flow.spec));
    flow.outcome.flow = flow.spec.id;
    flow.remarks = texts(fields, "remarks");
    if (fields.has("received")) {
        flow.received = decode_received(fields.at("received"), flow.spec.id);
    }
    if (fields.has("round_trip")) {
        flow.outcome.round_trip = decode_round_trip(fields.at("round_trip"));
    }
    if (fields.has("receivers")) {
        for (const json& each : fields.array("receivers", kMostEntries)) {
            flow.receivers.push_back(decode_receiver_of_flow(each, flow.spec.id));
        }
    }
    return flow;
}

json encode(const LogShipment& shipment) {
    return {{"to", shipment.to},
            {"reconnections", shipment.reconnections},
            {"largest_backlog", shipment.largest_backlog},
            {"not_spooled", shipment.not_spooled},
            {"trouble", shipment.trouble}};
}

LogShipment decode_shipment(const json& object) {
    const JsonFields fields(object);
    return {.to = fields.text("to", kLongestText),
            .reconnections = fields.number("reconnections", 0, kMost),
            .largest_backlog = fields.number("largest_backlog", 0, kMost),
            .not_spooled = fields.number("not_spooled", 0, kMost),
            .trouble = fields.text("trouble", kLongestText)};
}

json encode(const ReceiverReport& receiver) {
    json object = {
        {"address", receiver.address},           {"host", receiver.host},           {"lost", receiver.lost},
        {"log_file", receiver.log_file},         {"log_error", receiver.log_error}, {"same_clock", receiver.same_clock},
        {"shipment", encode(receiver.shipment)}, {"about", receiver.about}};
    if (receiver.usage) {
        object["usage"] = encode(*receiver.usage);
    }
    if (receiver.offset) {
        object["offset"] = to_json(*receiver.offset);
    }
    if (receiver.clock) {
        object["clock"] = to_json(*receiver.clock);
    }
    return object;
}

OffsetReport decode_offset(const json& object) {
    const JsonFields fields(object);
    OffsetReport offset{.offset = Nanos(fields.signed_number("offset_ns")),
                        .bound = Nanos(fields.signed_number("bound_ns")),
                        .skew_ppm = fields.real("skew_ppm"),
                        .skew_error_ppm = fields.real("skew_error_ppm"),
                        .probes = fields.number("probes", 0, kMost)};
    for (const json& one : fields.array("steps", kMostEntries)) {
        const JsonFields step(one);
        offset.steps.push_back({.at = wall_time_from_ns(step.signed_number("at_ns")),
                                .within = Nanos(step.signed_number("within_ns")),
                                .size = Nanos(step.signed_number("size_ns")),
                                .error = Nanos(step.signed_number("error_ns"))});
    }
    return offset;
}

ReceiverReport decode_receiver(const json& object) {
    const JsonFields fields(object);
    ReceiverReport receiver;
    receiver.address = fields.text("address", kLongestText);
    receiver.host = fields.text("host", kLongestText);
    receiver.lost = fields.text("lost", kLongestText);
    receiver.log_file = fields.text("log_file", kLongestText);
    receiver.log_error = fields.text("log_error", kLongestText);
    receiver.same_clock = fields.flag("same_clock");
    receiver.shipment = decode_shipment(fields.at("shipment"));
    receiver.usage = decode_usage(fields);
    for (const auto& [name, value] : fields.at("about").items()) {
        if (not value.is_string()) {
            throw UsageError("'about' must be texts by name");
        }
        receiver.about.emplace(name, value.get<std::string>());
    }
    if (fields.has("offset")) {
        receiver.offset = decode_offset(fields.at("offset"));
    }
    if (fields.has("clock")) {
        receiver.clock = clock_health_from_json(fields.at("clock"));
    }
    return receiver;
}

}  // namespace

json encode_report(const SendReport& report) {
    json object = {{"run_id", report.run_id},
                   {"experiment", report.experiment},
                   {"seed", report.seed},
                   {"host", report.host},
                   {"started_at_ns", ns_since_epoch(report.started_at)},
                   {"elapsed_ns", report.elapsed.count()},
                   {"interrupted", report.interrupted},
                   {"require", to_string(report.required)},
                   {"flows", json::array()},
                   {"receivers", json::array()},
                   {"clock_steps", json::array()},
                   {"pacing", encode(report.pacing)}};
    if (report.usage) {
        object["usage"] = encode(*report.usage);
    }
    if (report.conditions) {
        object["conditions"] = encode(*report.conditions);
    }
    if (report.clock) {
        object["clock"] = to_json(*report.clock);
    }
    for (const OwnStep& step : report.own_steps) {
        object["clock_steps"].push_back(to_json(step));
    }
    for (const FlowReport& flow : report.flows) {
        object["flows"].push_back(encode(flow));
    }
    for (const ReceiverReport& receiver : report.receivers) {
        object["receivers"].push_back(encode(receiver));
    }
    if (report.log) {
        object["log"] = {{"name", report.log->name},
                         {"records", report.log->records},
                         {"bytes", report.log->bytes},
                         {"error", report.log->error},
                         {"shipment", encode(report.log->shipment)}};
    }
    return object;
}

SendReport decode_report(const json& object) {
    const JsonFields fields(object);
    SendReport report;
    report.run_id = fields.text("run_id", kLongestText);
    report.experiment = fields.text("experiment", kLongestText);
    report.seed = fields.number("seed", 0, kMost);
    report.host = fields.text("host", kLongestText);
    report.started_at = wall_time_from_ns(fields.signed_number("started_at_ns"));
    report.elapsed = Nanos(fields.signed_number("elapsed_ns"));
    report.interrupted = fields.flag("interrupted");
    if (const std::string required = fields.text("require", kLongestText); not required.empty()) {
        report.required = parse_requirements(required);
    }
    report.pacing = decode_pacing(fields.at("pacing"));
    report.usage = decode_usage(fields);
    if (fields.has("conditions")) {
        report.conditions = decode_conditions(fields.at("conditions"));
    }
    if (fields.has("clock")) {
        report.clock = clock_health_from_json(fields.at("clock"));
    }
    for (const json& one : fields.array("clock_steps", kMostEntries)) {
        const JsonFields step(one);
        report.own_steps.push_back(
            {.at = wall_time_from_ns(step.signed_number("at_ns")), .size = Nanos(step.signed_number("size_ns"))});
    }
    GapModels models;
    for (const json& flow : fields.array("flows", kMostEntries)) {
        report.flows.push_back(decode_flow(flow, models));
    }
    for (const json& receiver : fields.array("receivers", kMostEntries)) {
        report.receivers.push_back(decode_receiver(receiver));
    }
    if (fields.has("log")) {
        const JsonFields log(fields.at("log"));
        report.log = LogReport{.name = log.text("name", kLongestText),
                               .records = log.number("records", 0, kMost),
                               .bytes = log.number("bytes", 0, kMost),
                               .error = log.text("error", kLongestText),
                               .shipment = decode_shipment(log.at("shipment"))};
    }
    return report;
}

}  // namespace groma
