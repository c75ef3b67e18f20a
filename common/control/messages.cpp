#include "common/control/messages.hpp"

#include <algorithm>

#include "common/base/base64.hpp"
#include "common/control/message_limits.hpp"
#include "common/json/json_message.hpp"
#include "common/model/flow/flow_json.hpp"

namespace groma {

namespace {

constexpr CutTo kName{kLongestName};
constexpr CutTo kReason{kLongestReason};
/// A name that is cut would name something else.
constexpr UpTo kWholeName{kLongestName};
constexpr Within<std::uint16_t> kPorts{1, std::numeric_limits<std::uint16_t>::max()};
constexpr Within<std::uint32_t> kFlows{1, std::numeric_limits<std::uint32_t>::max()};
constexpr Within<Nanos::rep> kSpans{0, Nanos::rep{1} << 62U};
/// Between two clocks (kLongestSpan).
constexpr Within<Nanos::rep> kDelays{-(Nanos::rep{1} << 61U), Nanos::rep{1} << 61U};
constexpr JsonLimits kLimits{.bytes = kMaxMessageBytes, .depth = kDeepestMessage};

}  // namespace

bool is_run_id(std::string_view id) {
    return id.size() == 32 and id.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Hello>& hello) {
    fields("lowest_version", hello.lowest_version);
    fields("highest_version", hello.highest_version);
    fields("program", hello.program, kName);
    fields("run_id", hello.run_id, kWholeName);
    fields("experiment", hello.experiment, kName);
    fields("host", hello.host, kName);
    fields("seed", hello.seed);
    fields.unless(false, "for_client", hello.for_client);
    fields.require(is_run_id(hello.run_id), "'run_id' must be 32 hexadecimal digits");
    fields.require(hello.lowest_version <= hello.highest_version,
                   "'lowest_version' must not be above 'highest_version'");
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Welcome>& welcome) {
    fields("version", welcome.version);
    fields("program", welcome.program, kName);
    fields("host", welcome.host, kName);
    fields("boot_id", welcome.boot_id, kName);
    fields("clock", welcome.clock);
    fields.unless({}, "about", welcome.about, Most{kMostFacts}, kName, kReason);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, DialTarget>& target) {
    fields("port", target.port);
    fields("token", target.token);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, FlowSecret>& secret) {
    fields("flow", secret.flow, kFlows);
    fields("key", secret.key);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, OpenFlows>& open) {
    fields("flows", open.flows, Most{kMaxFlowsPerMessage});
    fields.rows_if_any("dial", open.dial, Most{kMaxFlowsPerMessage});
    fields.rows_if_any("secrets", open.secrets, Most{kMaxFlowsPerMessage});
    fields.require(open.dial.empty() or open.dial.size() == open.flows.size(),
                   "'dial' must have as many elements as 'flows'");
}

template <typename Fields>
void describe(Fields& fields, As<Fields, OpenedFlow>& opened) {
    fields("flow", opened.flow, kFlows);
    fields("port", opened.port, kPorts);
    fields.unless({}, "remark", opened.warning, kReason);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, FlowsOpened>& opened) {
    fields.rows("flows", opened.flows, Most{kMaxFlowsPerMessage});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, ProbeRequest>& probe) {
    fields("number", probe.number);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, ProbeReply>& probe) {
    fields("number", probe.number);
    fields("received_ns", probe.received);
    fields("answered_ns", probe.answered);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Start>& start) {
    fields("log_file", start.log_file, kWholeName);
    fields("log_server", start.log_server, kWholeName);
    fields("log_transport", start.log_transport, kWholeName);
    fields.unless({}, "log_name", start.log_name, kWholeName);
    fields.unless(false, "discard_log", start.discard_log);
    fields.unless(false, "fetch_log", start.fetch_log);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Started>& started) {
    fields("log_file", started.log_file, UpTo{kLongestPath});
    fields("fetch_token", started.fetch_token);
}

template <typename Fields>
void describe(Fields& /*fields*/, As<Fields, KeepAlive>& /*message*/) {}

template <typename Fields>
void describe(Fields& fields, As<Fields, ProgressRequest>& request) {
    fields("number", request.number);
    fields("each_flow", request.each_flow);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, ArrivedSoFar>& arrived) {
    fields("packets", arrived.packets);
    fields("bytes", arrived.bytes);
    fields("missing", arrived.missing);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, FlowSoFar>& flow) {
    fields("flow", flow.flow, kFlows);
    describe(fields, flow.arrived);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, ProgressReply>& reply) {
    fields("number", reply.number);
    fields("elapsed_ns", reply.elapsed, kSpans);
    describe(fields, reply.all);
    fields.rows_if_any("flows", reply.flows, Most{kMaxFlowsPerMessage});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, SentFlow>& flow) {
    fields("flow", flow.flow, kFlows);
    fields("packets", flow.packets);
    fields("bytes", flow.bytes);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Finish>& finish) {
    fields("interrupted", finish.interrupted);
    fields("wait_ns", finish.wait, Within{Nanos::rep{0}, kLongestWait.count()});
    fields.rows("flows", finish.flows, Most{kMaxFlowsInResults});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Coalescing>& coalescing) {
    fields("packets", coalescing.packets);
    fields("since_ns", coalescing.since, Within{std::int64_t{0}, std::numeric_limits<std::int64_t>::max()});
    fields("why", coalescing.why, Within{GroReason{}, GroReason::drops});
}

template <typename Fields>
void describe(Fields& fields, As<Fields, ArrivalDelays>& delays) {
    fields("packets", delays.packets);
    fields("min_ns", delays.min, kDelays);
    fields("p025_ns", delays.p025, kSpans);
    fields("p50_ns", delays.p50, kSpans);
    fields("p90_ns", delays.p90, kSpans);
    fields("p975_ns", delays.p975, kSpans);
    fields("p99_ns", delays.p99, kSpans);
    fields("p999_ns", delays.p999, kSpans);
    fields("max_ns", delays.max, kSpans);
    fields("mean_ns", delays.mean_ns);
    fields("deviation_ns", delays.deviation_ns);
    double jitter_ns = delays.jitter_ns.value_or(0);
    fields("jitter_ns", jitter_ns);
    const Nanos rising[] = {delays.p025, delays.p50, delays.p90, delays.p975, delays.p99, delays.p999, delays.max};
    const auto longest = static_cast<double>(delays.max.count());
    fields.require(std::ranges::is_sorted(rising), "percentiles of delays must rise");
    fields.require(delays.mean_ns >= 0 and delays.mean_ns <= longest, "the mean delay must be within the delays");
    fields.require(
        delays.deviation_ns >= 0 and delays.deviation_ns <= longest and jitter_ns >= 0 and jitter_ns <= longest,
        "the deviation and the jitter of delays must be within their range");
    if constexpr (Fields::kReads) {
        delays.jitter_ns = delays.packets > 1 or jitter_ns > 0 ? std::optional(jitter_ns) : std::nullopt;
    }
}

template <typename Fields>
void describe(Fields& fields, As<Fields, ReceivedFlow>& flow) {
    fields("flow", flow.flow, kFlows);
    fields("packets", flow.packets);
    fields("bytes", flow.bytes);
    fields("duplicates", flow.duplicates);
    fields("reordered", flow.reordered);
    fields("foreign", flow.foreign);
    fields("malformed", flow.malformed);
    fields("kernel_drops", flow.kernel_drops);
    fields("records_lost", flow.records_lost);
    fields("state", flow.state, kName);
    fields.unless(0, "replies", flow.replies);
    fields.unless(0, "replies_lost", flow.replies_lost);
    fields.unless({}, "first_arrival_ns", flow.first_arrival);
    fields.unless({}, "last_arrival_ns", flow.last_arrival);
    fields.unless(0, "unstamped", flow.unstamped);
    fields.unless(0, "numbers_end", flow.numbers_end);
    fields.unless(0, "forged", flow.forged);
    if (not fields.is_row()) {
        fields("coalescing", flow.coalescing);
        fields("delays", flow.delays);
    }
}

template <typename Fields>
void describe(Fields& fields, As<Fields, LogShipment>& shipment) {
    fields("to", shipment.to, kReason);
    fields("reconnections", shipment.reconnections);
    fields("largest_backlog", shipment.largest_backlog);
    fields("not_spooled", shipment.not_spooled);
    fields("trouble", shipment.error, kReason);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, CpuUsage>& usage) {
    fields("user_ns", usage.user, kSpans);
    fields("system_ns", usage.system, kSpans);
    fields("voluntary_switches", usage.voluntary_switches);
    fields("involuntary_switches", usage.involuntary_switches);
}

namespace {

/// A row of the results beside "flows": a part that not every flow has.
template <typename Part>
struct PartOfFlow {
    FlowId flow;
    Part part;
};

}  // namespace

template <typename Fields, typename Part>
void describe(Fields& fields, PartOfFlow<Part>& row) {
    fields("flow", row.flow, kFlows);
    describe(fields, row.part);
}
template <typename Fields, typename Part>
void describe(Fields& fields, const PartOfFlow<Part>& row) {
    fields("flow", row.flow, kFlows);
    describe(fields, row.part);
}

namespace {

/// The rows of those flows that have the part, in the order of the flows.
template <typename Fields, typename Flows, typename Part>
void describe_parts(Fields& fields, std::string_view name, Flows& flows, std::optional<Part> ReceivedFlow::*part,
                    Most most) {
    std::vector<PartOfFlow<Part>> rows;
    for (const ReceivedFlow& flow : flows) {
        if (flow.*part) {
            rows.push_back({flow.flow, *(flow.*part)});
        }
    }
    fields.rows_if_any(name, rows, most);
    if constexpr (Fields::kReads) {
        auto flow = flows.begin();
        for (const auto& row : rows) {
            flow = std::find_if(flow, flows.end(), [&row](const ReceivedFlow& one) { return one.flow == row.flow; });
            if (flow == flows.end()) {
                throw UsageError("'" + std::string(name) + "' must name flows of 'flows', in their order");
            }
            (*flow).*part = row.part;
        }
    }
}

}  // namespace

template <typename Fields>
void describe(Fields& fields, As<Fields, ReceiverResults>& results) {
    fields.rows("flows", results.flows, Most{kMaxFlowsInResults});
    fields("log_error", results.log_error, kReason);
    fields.unless({}, "shipment", results.shipment);
    fields("usage", results.usage);
    describe_parts(fields, "coalescing", results.flows, &ReceivedFlow::coalescing, Most{kMaxFlowsInResults});
    describe_parts(fields, "delays", results.flows, &ReceivedFlow::delays, Most{kMaxFlowsWithDelays});
    fields("delays_of_all", results.delays);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Refused>& refused) {
    fields("reason", refused.reason, kReason);
    fields("flow", refused.flow);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, CallIn>& call) {
    fields("program", call.program, kName);
    fields("name", call.name, kName);
    fields.require(not call.name.empty(), "'name' must not be empty");
}

template <typename Fields>
void describe(Fields& /*fields*/, As<Fields, AskReverse>& /*ask*/) {}

template <typename Fields>
void describe(Fields& fields, As<Fields, FetchLog>& fetch) {
    fields("offset", fetch.offset);
    fields.require(fetch.offset % kLogSectionBytes == 0, "'offset' must be where a section begins");
}

template <typename Fields>
void describe(Fields& fields, As<Fields, LogSection>& section) {
    fields("offset", section.offset);
    fields("log_bytes", section.log_bytes);
    fields("hash", section.hash);
    std::string text = base64(section.bytes);
    fields("bytes", text, UpTo{kLogSectionBytes / 3 * 4 + 4});
    if constexpr (Fields::kReads) {
        auto bytes = bytes_of_base64(text);
        fields.require(bytes.has_value(), "'bytes' must be in base64");
        section.bytes = *std::move(bytes);
    }
}

template <typename Fields>
void describe(Fields& /*fields*/, As<Fields, RemoveLog>& /*remove*/) {}

template <typename Fields>
void describe(Fields& /*fields*/, As<Fields, LogRemoved>& /*removed*/) {}

template <typename Fields>
void describe(Fields& fields, As<Fields, ResumeFetch>& resume) {
    fields("token", resume.token);
}

template <typename Fields>
void describe(Fields& /*fields*/, As<Fields, FetchResumed>& /*resumed*/) {}

template void describe(JsonWriter&, const ArrivalDelays&);
template void describe(JsonReader&, ArrivalDelays&);
template void describe(JsonWriter&, const ReceivedFlow&);
template void describe(JsonReader&, ReceivedFlow&);
template void describe(JsonWriter&, const LogSection&);
template void describe(JsonReader&, LogSection&);
template void describe(JsonWriter&, const LogShipment&);
template void describe(JsonReader&, LogShipment&);
template void describe(JsonWriter&, const CpuUsage&);
template void describe(JsonReader&, CpuUsage&);

std::string_view type_name(const Message& message) {
    return kMessageTypes[message.index()];
}

std::string serialize(const Message& message) {
    return message_text(message, kMessageTypes);
}

Message parse_message(std::string_view text, const std::string& peer) {
    return message_from_text<Message>(text, peer, kMessageTypes, kLimits);
}

}  // namespace groma
