#include "sender/report/report_codec.hpp"

#include <memory>
#include <utility>

#include "common/json/json_record.hpp"
#include "common/model/flow/flow_json.hpp"
#include "sender/report/fidelity_codec.hpp"

namespace groma {

namespace {

constexpr CutTo kReportText{4096};
constexpr Most kMostReportEntries{100'000};

}  // namespace

template <typename Fields>
void describe(Fields& fields, As<Fields, CpuConditions>& conditions) {
    fields("throttled", conditions.throttled_times);
    fields("throttled_ns", conditions.throttled);
    fields("stolen_ns", conditions.stolen);
    fields("lowest_khz", conditions.lowest_khz);
    fields("highest_khz", conditions.highest_khz);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, PacingFacts>& pacing) {
    fields("threads", pacing.threads);
    fields("pinned", pacing.pinned, kMostReportEntries);
    fields("realtime", pacing.realtime);
    fields("remarks", pacing.warnings, kMostReportEntries, kReportText);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RoundTrip>& back) {
    fields("returned", back.returned);
    fields("bytes", back.bytes);
    fields("duplicates", back.duplicates);
    fields("reordered", back.reordered);
    fields("untimed", back.untimed);
    fields("odd_residence", back.odd_residence);
    fields("foreign", back.foreign);
    fields("malformed", back.malformed);
    fields("kernel_drops", back.kernel_drops);
    fields("refused", back.refused);
    fields("records_lost", back.records_lost);
    fields.unless(0, "forged", back.forged);
    fields.unless(0, "timed_out", back.timed_out);
    fields.unless(0, "connections", back.connections);
    fields.unless(0, "connections_failed", back.connections_failed);
    fields("connect_ns", back.connect_ns);
    fields("rtt_ns", back.rtt_ns);
    fields("rtt_less_residence_ns", back.rtt_less_residence_ns);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, ConnectionSample>& state) {
    fields("at_ns", state.at);
    fields("rtt_ns", state.rtt);
    fields("rtt_variation_ns", state.rtt_variation);
    fields("cwnd", state.cwnd);
    fields("ssthresh", state.ssthresh);
    fields("in_flight", state.in_flight);
    fields("retransmitted", state.retransmitted);
    fields("retransmitted_bytes", state.retransmitted_bytes);
    fields("delivery_rate_bps", state.delivery_rate_bps);
    fields("pacing_rate_bps", state.pacing_rate_bps);
    fields("segment", state.segment);
    fields("min_rtt_ns", state.min_rtt);
    fields("application_limited", state.application_limited);
    fields("acknowledged_bytes", state.acknowledged_bytes);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, SendLimits>& limits) {
    constexpr Within kTimes{Nanos::rep{0}, kLongestSpan.count()};
    fields("busy_ns", limits.busy, kTimes);
    fields("by_receive_window_ns", limits.by_receive_window, kTimes);
    fields("by_send_buffer_ns", limits.by_send_buffer, kTimes);
}

/// `asked`: when it is read, the model of the flow's gaps.
template <typename Fields>
void describe_outcome(Fields& fields, As<Fields, FlowOutcome>& outcome, std::shared_ptr<const GapModel> asked) {
    fields("flow", outcome.flow);
    fields("end", outcome.counts.end, Within{FlowEnd{}, FlowEnd::failed});
    fields("error", outcome.error, kReportText);
    fields.part("fidelity", outcome.fidelity,
                [&](auto& part, auto& fidelity) { describe_fidelity(part, fidelity, std::move(asked)); });
    fields("gaps_raised", outcome.draws.gaps_raised);
    fields("gaps_redrawn", outcome.draws.gaps_redrawn);
    fields("sizes_raised", outcome.draws.sizes_raised);
    fields("sizes_lowered", outcome.draws.sizes_lowered);
    fields("dropped", outcome.counts.dropped);
    fields("too_big", outcome.counts.too_big);
    fields("refused", outcome.counts.refused);
    fields("given_up", outcome.counts.given_up);
    fields("missed_slots", outcome.counts.missed_slots);
    fields("unsent_between", outcome.counts.unsent_between);
    fields("shifted_ns", outcome.counts.shifted);
    fields("remarks", outcome.warnings, kMostReportEntries, kReportText);
    fields("blocked", outcome.counts.blocked);
    fields("records_lost", outcome.counts.records_lost);
    fields("unstamped", outcome.counts.unstamped);
    fields("queue", outcome.queue, kReportText);
    fields("held_by_kernel", outcome.counts.held_by_kernel);
    fields("missed_in_queue", outcome.counts.missed_in_queue);
    fields("cut_short", outcome.counts.cut_short);
    fields.unless(0, "unnumbered", outcome.counts.unnumbered);
    fields("retransmitted", outcome.counts.retransmitted);
    fields("round_trip", outcome.round_trip);
    fields("connection", outcome.connection);
    fields("limits", outcome.limits);
    fields("late_rtt_ns", outcome.late_rtt_ns);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, ReceivedBy>& receiver) {
    fields("address", receiver.address, kReportText);
    fields("received", receiver.received);
    fields("delay_bound_ns", receiver.delay_bound);
}

template <typename Fields>
void describe_flow(Fields& fields, As<Fields, FlowReport>& flow, GapModels& models) {
    fields("spec", flow.spec);
    fields("from", flow.spec.from_host, kReportText);
    fields("to", flow.spec.to_host, kReportText);
    fields("local", flow.local_address, kReportText);
    fields("remote", flow.remote_address, kReportText);
    std::shared_ptr<const GapModel> asked = Fields::kReads ? models.of(flow.spec).model : nullptr;
    fields.part("outcome", flow.outcome,
                [&](auto& part, auto& outcome) { describe_outcome(part, outcome, std::move(asked)); });
    fields("remarks", flow.warnings, kMostReportEntries, kReportText);
    fields("began_ns", flow.began);
    fields("received", flow.received);
    fields("delay_bound_ns", flow.delay_bound);
    fields("receivers", flow.receivers, kMostReportEntries);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, ClockStep>& step) {
    fields("at_ns", step.at);
    fields("within_ns", step.within);
    fields("size_ns", step.size);
    fields("error_ns", step.error);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, OwnStep>& step) {
    fields("at_ns", step.at);
    fields("size_ns", step.size);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, QueueDrops>& drops) {
    fields("queue", drops.queue, kReportText);
    fields("packets", drops.packets);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, OffsetReport>& offset) {
    fields("offset_ns", offset.offset);
    fields("bound_ns", offset.bound);
    fields("skew_ppm", offset.skew_ppm);
    fields("skew_error_ppm", offset.skew_error_ppm);
    fields("steps", offset.steps, kMostReportEntries);
    fields("probes", offset.probes);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, ReceiverReport>& receiver) {
    fields("address", receiver.address, kReportText);
    fields("host", receiver.host, kReportText);
    fields("lost", receiver.lost, kReportText);
    fields("log_file", receiver.log_file, kReportText);
    fields("log_error", receiver.log_error, kReportText);
    fields("same_clock", receiver.same_clock);
    fields("shipment", receiver.shipment);
    fields.unless({}, "about", receiver.about, kMostReportEntries, kReportText, kReportText);
    fields("usage", receiver.usage);
    fields("offset", receiver.offset);
    fields("clock", receiver.clock);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, LogReport>& log) {
    fields("name", log.name, kReportText);
    fields("records", log.records);
    fields("bytes", log.bytes);
    fields("error", log.error, kReportText);
    fields("shipment", log.shipment);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, SendReport>& report) {
    fields("run_id", report.run_id, kReportText);
    fields("experiment", report.experiment, kReportText);
    fields("seed", report.seed);
    fields("host", report.host, kReportText);
    fields.unless({}, "serves", report.serves, kReportText);
    fields("started_at_ns", report.started_at);
    fields("elapsed_ns", report.elapsed);
    fields("interrupted", report.interrupted);
    fields.as_unless({}, "require", report.required, parse_requirements);
    fields("pacing", report.pacing);
    fields("usage", report.usage);
    fields("conditions", report.conditions);
    fields.rows_if_any("queue_drops", report.queue_drops, kMostReportEntries);
    fields("clock", report.clock);
    fields("clock_steps", report.own_steps, kMostReportEntries);
    GapModels models;
    fields("delays", report.delays);
    fields.each("flows", report.flows, kMostReportEntries,
                [&models](auto& one, auto& flow) { describe_flow(one, flow, models); });
    fields("receivers", report.receivers, kMostReportEntries);
    fields("log", report.log);
    fields("remote_logs", report.remote_logs, kMostReportEntries);
}

template void describe(JsonWriter&, const SendReport&);
template void describe(JsonReader&, SendReport&);

}  // namespace groma
