#include "common/log/log_json.hpp"

#include <string>
#include <string_view>

#include "common/json/json_record.hpp"
#include "common/model/flow/flow_json.hpp"

namespace groma {

namespace {

constexpr CutTo kText{kMaxLogText};
constexpr Most kMostCounters{1000};
constexpr Within kCounted{std::uint64_t{0}, std::uint64_t{1} << 62U};  // 1 Tbit/s for a year
constexpr JsonLimits kLimits{.values = std::size_t{64} * kMaxLogFlows};

void append(std::string_view text, std::vector<std::byte>& out) {
    const auto bytes = std::as_bytes(std::span(text));
    out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

template <typename Fields>
void describe_head(Fields& fields, As<Fields, RunMetadata>& metadata) {
    fields("run_id", metadata.run_id, kText);
    fields("experiment", metadata.experiment, kText);
    fields.as("role", metadata.role, parse_log_role);
    fields("host", metadata.host, kText);
    fields("boot_id", metadata.boot_id, kText);
    fields("program", metadata.program, kText);
    fields("timestamps", metadata.timestamps, kText);
    fields("clock", metadata.clock);
    fields("started_at_ns", metadata.started_at);
    fields("seed", metadata.seed);
    fields("wait_ns", metadata.wait, Within{Nanos::rep{0}, Nanos::rep{1} << 61U});
}

template <typename Fields>
void describe_head(Fields& fields, As<Fields, LogTotals>& totals) {
    fields("ended_at_ns", totals.ended_at);
    fields("end", totals.end, kText);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, FlowSetup>& flow) {
    fields("spec", flow.spec);
    fields("local_address", flow.local_address, kText);
    fields("remote_address", flow.remote_address, kText);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, FlowTotals>& flow) {
    fields("flow", flow.flow);
    fields("packets", flow.packets, kCounted);
    fields("bytes", flow.bytes, kCounted);
    fields("records", flow.records, kCounted);
    fields("records_lost", flow.records_lost, kCounted);
    fields("counters", flow.counters, kMostCounters, kText);
    fields.unless({}, "figures", flow.figures, kMostCounters, kText);
    fields.unless({}, "first_ns", flow.first);
    fields.unless({}, "last_ns", flow.last);
    fields.unless({}, "first_due_ns", flow.first_due);
    fields.unless({}, "last_due_ns", flow.last_due);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RunMetadata>& metadata) {
    describe_head(fields, metadata);
    fields("flows", metadata.flows, Most{kMaxLogFlows});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, ClockProbe>& probe) {
    fields("sent_ns", probe.sent);
    fields("received_ns", probe.received);
    fields("answered_ns", probe.answered);
    fields("returned_ns", probe.returned);
    fields("peer_host", probe.peer_host, kText);
    fields("peer_boot_id", probe.peer_boot_id, kText);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, LogEvent>& event) {
    fields("at_ns", event.at);
    fields("kind", event.kind, kText);
    fields("text", event.text, kText);
    fields("flow", event.flow);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, LogTotals>& totals) {
    describe_head(fields, totals);
    fields("flows", totals.flows, Most{kMaxLogFlows});
}

template void describe(JsonWriter&, const RunMetadata&);
template void describe(JsonReader&, RunMetadata&);
template void describe(JsonWriter&, const ClockProbe&);
template void describe(JsonReader&, ClockProbe&);
template void describe(JsonWriter&, const LogEvent&);
template void describe(JsonReader&, LogEvent&);
template void describe(JsonWriter&, const LogTotals&);
template void describe(JsonReader&, LogTotals&);

namespace {

template <typename Record>
void append_flow_by_flow(const Record& record, std::vector<std::byte>& out) {
    JsonWriter fields(JsonForm::object);
    describe_head(fields, record);
    nlohmann::json head = fields.take();
    head["flows"] = nlohmann::json::array();
    constexpr std::string_view kNoFlows = "\"flows\":[]";  // unique: quotes within texts are escaped
    const std::string text = json_text(head);
    const std::size_t inside = text.find(kNoFlows) + kNoFlows.size() - 1;
    append(std::string_view(text).substr(0, inside), out);
    std::string_view comma;
    for (const auto& flow : record.flows) {
        append(comma, out);
        append(json_text(to_json(flow)), out);
        comma = ",";
    }
    append(std::string_view(text).substr(inside), out);
}

}  // namespace

void append_json(const RunMetadata& metadata, std::vector<std::byte>& out) {
    append_flow_by_flow(metadata, out);
}

void append_json(const ClockProbe& probe, std::vector<std::byte>& out) {
    append(json_text(to_json(probe)), out);
}

void append_json(const LogEvent& event, std::vector<std::byte>& out) {
    append(json_text(to_json(event)), out);
}

void append_json(const LogTotals& totals, std::vector<std::byte>& out) {
    append_flow_by_flow(totals, out);
}

nlohmann::json parse_log_json(std::span<const std::byte> text) {
    return parse_json({reinterpret_cast<const char*>(text.data()), text.size()}, kLimits);
}

}  // namespace groma
