#include "sender/report/report_codec.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "tests/all_fields.hpp"

namespace groma {
namespace {

LogHistogram some_times(std::int64_t first) {
    LogHistogram times;
    times.add(first, 20);
    times.add(first * 1000, 20);
    return times;
}

Fidelity full_fidelity(const FlowSpec& spec) {
    Fidelity fidelity{.packets = 40,
                      .bytes = 4000,
                      .greedy = true,
                      .departures = 42,
                      .scheduled = {Nanos{-5}, Nanos{41'000}},
                      .sent = {Nanos{7}, Nanos{40'500}},
                      .lateness_ns = some_times(3),
                      .late_packets = 2,
                      .alone = 30,
                      .batched = 10,
                      .largest_batch = 5,
                      .batch_sizes = some_times(1),
                      .behind = Nanos(77),
                      .gap_error_ns = some_times(2),
                      .gap_variation = 0.5,
                      .gaps_within_1us = 3,
                      .gaps_within_10us = 4,
                      .gaps_within_100us = 5,
                      .gap_counts = GapCounts(GapModels().of(spec).model)};
    for (std::int64_t i = 0; i < 39; ++i) {
        fidelity.gap_counts.add(i * 5003);
    }
    PooledGaps pooled;
    pooled.add(fidelity.gap_counts);
    fidelity.fit = pooled.fit();
    return fidelity;
}

FlowOutcome full_outcome(const FlowSpec& spec) {
    return {.flow = spec.id,
            .counts = {.end = FlowEnd::failed,
                       .cut_short = true,
                       .dropped = 5,
                       .too_big = 6,
                       .refused = 7,
                       .given_up = 8,
                       .missed_slots = 9,
                       .unsent_between = 10,
                       .shifted = Nanos(11),
                       .unstamped = 12,
                       .unnumbered = 17,
                       .held_by_kernel = 15,
                       .missed_in_queue = 16,
                       .blocked = 13,
                       .retransmitted = 18,
                       .records_lost = 14},
            .error = "reset",
            .warnings = {"the kernel made less of it", "and of that"},
            .fidelity = full_fidelity(spec),
            .draws = {1, 2, 3, 4},
            .queue = "fq on eth0",
            .round_trip = RoundTrip{.returned = 1,
                                    .bytes = 2,
                                    .duplicates = 3,
                                    .reordered = 4,
                                    .untimed = 5,
                                    .odd_residence = 11,
                                    .foreign = 6,
                                    .malformed = 7,
                                    .forged = 17,
                                    .kernel_drops = 8,
                                    .refused = 9,
                                    .records_lost = 10,
                                    .timed_out = 12,
                                    .connections = 13,
                                    .connections_failed = 14,
                                    .connect_ns = some_times(80),
                                    .rtt_ns = some_times(100),
                                    .rtt_less_residence_ns = some_times(90)},
            .connection = ConnectionSample{.at = wall_time_from_ns(1),
                                           .rtt = Nanos{2},
                                           .rtt_variation = Nanos{3},
                                           .cwnd = 4,
                                           .ssthresh = 5,
                                           .in_flight = 6,
                                           .retransmitted = 7,
                                           .retransmitted_bytes = 8,
                                           .delivery_rate_bps = 9,
                                           .pacing_rate_bps = 10,
                                           .segment = 11,
                                           .min_rtt = Nanos{12},
                                           .application_limited = 1,
                                           .acknowledged_bytes = 14},
            .limits = SendLimits{.busy = Nanos{30}, .by_receive_window = Nanos{10}, .by_send_buffer = Nanos{5}},
            .late_rtt_ns = some_times(70)};
}

ArrivalDelays full_delays() {
    return {.packets = 1,
            .min = Nanos{-2},
            .p025 = Nanos{3},
            .p50 = Nanos{4},
            .p90 = Nanos{5},
            .p975 = Nanos{6},
            .p99 = Nanos{7},
            .p999 = Nanos{8},
            .max = Nanos{9},
            .mean_ns = 4.5,
            .deviation_ns = 2.5,
            .jitter_ns = 1.5};
}

ReceivedFlow full_received(FlowId flow) {
    return {.flow = flow,
            .packets = 1,
            .bytes = 2,
            .duplicates = 3,
            .reordered = 4,
            .foreign = 5,
            .malformed = 6,
            .kernel_drops = 7,
            .records_lost = 8,
            .replies = 9,
            .replies_lost = 10,
            .state = "ok",
            .coalescing = Coalescing{.packets = 3, .since = wall_time_from_ns(7), .why = GroReason::drops},
            .first_arrival = wall_time_from_ns(11),
            .last_arrival = wall_time_from_ns(12),
            .unstamped = 13,
            .numbers_end = 14,
            .forged = 15,
            .delays = full_delays()};
}

ReceiverReport full_receiver() {
    ReceiverReport receiver;
    receiver.address = "10.0.0.3:4000";
    receiver.host = "gamma";
    receiver.lost = "the connection broke";
    receiver.log_file = "/tmp/r.glog";
    receiver.log_error = "the disk is full";
    receiver.shipment = {"log server", 1, 2, 3, "held"};
    receiver.same_clock = true;
    receiver.offset =
        OffsetReport{Nanos(-5), Nanos(3), 0.5, 0.25, {{wall_time_from_ns(7), Nanos(1), Nanos(2), Nanos(3)}}, 9};
    receiver.clock = ClockHealth{};
    receiver.clock->synchronised = not receiver.clock->synchronised;
    receiver.usage = CpuUsage{Nanos(1), Nanos(2), 3, 4};
    receiver.about = {{"kernel", "Linux"}, {"program", "groma-recv"}};
    return receiver;
}

/// With a value other than the default in every field.
SendReport full_report() {
    FlowReport flow;
    flow.spec.id = FlowId{4};
    flow.spec.name = "flow";
    flow.spec.target.host = "10.0.0.3";
    flow.spec.stop.packets = 40;
    flow.spec.idt = Exponential{1e6};
    flow.local_address = "10.0.0.1:41234";
    flow.remote_address = "10.0.0.3:5000";
    flow.outcome = full_outcome(flow.spec);
    flow.received = full_received(flow.spec.id);
    flow.warnings = {"SO_PRIORITY was refused"};
    flow.began = wall_time_from_ns(999'999);
    flow.delay_bound = Nanos{14};
    flow.receivers = {{"10.0.0.3:9000", full_received(flow.spec.id), Nanos{15}}};

    SendReport report;
    report.run_id = std::string(32, 'a');
    report.experiment = "four";
    report.seed = 7;
    report.host = "host";
    report.serves = "who proves a key";
    report.started_at = wall_time_from_ns(1'000'000);
    report.elapsed = std::chrono::seconds(2);
    report.interrupted = true;
    report.clock = ClockHealth{};
    report.clock->synchronised = not report.clock->synchronised;
    report.queue_drops = {{"tbf on eth0", 17}};
    report.own_steps = {{wall_time_from_ns(5), Nanos(6)}};
    report.pacing = {.threads = 2, .pinned = {1, 3}, .realtime = true, .warnings = {"no privileges"}};
    report.usage = CpuUsage{Nanos(5), Nanos(6), 7, 8};
    report.conditions = CpuConditions{1, Nanos(2), Nanos(3), 4, 5};
    report.required = parse_requirements("behind=1ms,lateness-p99=1us");
    report.flows = {flow};
    report.delays = full_delays();
    report.receivers = {full_receiver()};
    report.log = LogReport{"sender.glog", 10, 100, "torn", {"log server", 1, 2, 3, "held"}};
    report.remote_logs = {{"sender.glog at beta", 11, 101, "short", {"log server", 1, 2, 3, "held"}}};
    return report;
}

nlohmann::json carried_report() {
    return nlohmann::json::parse(to_json(full_report()).dump());
}

TEST(ReportCodec, CarriesEveryFieldThatAReportHas) {
    expect_all_fields_carried(full_report(), from_json<SendReport>(carried_report()));
}

TEST(ReportCodec, RefusesWhatIsNoNumber) {
    nlohmann::json report = carried_report();
    report["flows"][0]["outcome"]["fidelity"]["gap_variation"] = std::nan("");
    EXPECT_THROW((void)from_json<SendReport>(report), UsageError);
}

TEST(ReportCodec, RefusesMoreValuesThanCanBeSummed) {
    nlohmann::json report = carried_report();
    nlohmann::json& lateness = report["flows"][0]["outcome"]["fidelity"]["lateness_ns"];
    const std::int64_t most = std::int64_t{1} << 62U;
    lateness = {{"min", -most}, {"max", most}, {"bins", {{-most, 1U}, {most, std::uint64_t{1} << 46U}}}};
    EXPECT_THROW((void)from_json<SendReport>(report), UsageError);
    lateness["bins"][1][1] = (std::uint64_t{1} << 46U) - 1;
    EXPECT_EQ(from_json<SendReport>(report).flows[0].outcome.fidelity.lateness_ns.count(), std::uint64_t{1} << 46U);
}

TEST(ReportCodec, ASampleThatLacksAFieldIsFound) {
    SendReport sample = full_report();
    sample.flows[0].outcome.counts.missed_slots = 0;
    SendReport carried = full_report();
    std::string where;
    for_each_value("", sample, carried, [&](const std::string& place, const auto& a, const auto& b) {
        where += same(a, b) and not unset(a) ? "" : place;
    });
    EXPECT_EQ(where.find(".15[0].3."), 0U) << where;
}

}  // namespace
}  // namespace groma
