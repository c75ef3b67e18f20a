// Reports with fixed figures, for the tests of their outputs.
#pragma once

#include "sender/report/run_report.hpp"
#include "tests/sample_flow.hpp"

namespace groma {

/// A flow that was sent exactly as asked: 10,000 packets of 512 bytes at 1000 packets a second, 2 us late each.
[[nodiscard]] inline FlowReport faithful_flow(std::uint32_t id, const std::string& name) {
    FlowReport flow;
    flow.spec.id = FlowId{id};
    flow.spec.name = name;
    flow.spec.target.host = "10.0.0.2";
    flow.local_address = "10.0.0.1:41000";
    flow.remote_address = "10.0.0.2:5000";
    flow.outcome.flow = FlowId{id};
    Fidelity& fidelity = flow.outcome.fidelity;
    fidelity.packets = 10'000;
    fidelity.bytes = 5'120'000;
    set_rates(fidelity, 1000, 1000);
    fidelity.lateness_ns.add(2000, 10'000);
    fidelity.alone = 10'000;
    fidelity.largest_batch = 1;
    flow.received = ReceivedFlow{.flow = FlowId{id},
                                 .packets = 10'000,
                                 .bytes = 5'120'000,
                                 .duplicates = 0,
                                 .reordered = 0,
                                 .foreign = 0,
                                 .malformed = 0,
                                 .kernel_drops = 0,
                                 .records_lost = 0,
                                 .state = "ok"};
    return flow;
}

/// The same with the round-trip meter: 10 packets lost on the way forward, 9980 of 9990 replies back, 100 us each.
[[nodiscard]] inline FlowReport round_trip_flow(std::uint32_t id, const std::string& name) {
    FlowReport flow = faithful_flow(id, name);
    flow.spec.meter = Meter::round_trip;
    flow.received->packets = 9'990;
    flow.received->replies = 9'990;
    flow.outcome.round_trip = RoundTrip{};
    flow.outcome.round_trip->returned = 9'980;
    flow.outcome.round_trip->rtt_ns.add(100'000, 9'980);
    flow.outcome.round_trip->rtt_less_residence_ns.add(80'000, 9'980);
    return flow;
}

/// Sent as fast as possible over TCP: 80 send calls of 131,072 bytes in 10 s.
[[nodiscard]] inline FlowReport greedy_report(std::uint32_t id, const std::string& name) {
    FlowReport flow = faithful_flow(id, name);
    flow.spec.transport = Transport::tcp;
    flow.spec.idt = Greedy{};
    flow.spec.size = Constant{131'072};
    Fidelity& fidelity = flow.outcome.fidelity;
    fidelity.greedy = true;
    fidelity.forget_schedule();
    flow.received->packets = fidelity.packets = fidelity.alone = 80;
    flow.received->bytes = fidelity.bytes = 80 * 131'072;
    fidelity.batch_sizes.add(1, 80);
    flow.outcome.counts.retransmitted = 7;
    flow.outcome.connection = ConnectionSample{.rtt = Nanos{1'200'000}, .cwnd = 144'800};
    flow.outcome.limits = SendLimits{Nanos{10'000'000'000}, Nanos{1'200'000'000}, Nanos{300'000'000}};
    return flow;
}

/// A run of such flows to one receiver, with a log.
[[nodiscard]] inline SendReport faithful_run(std::vector<std::string> names = {"flow"}) {
    SendReport report;
    report.run_id = "0123456789abcdef0123456789abcdef";
    report.experiment = "send";
    report.seed = 7;
    report.host = "alpha";
    report.started_at = wall_time_from_ns(1'700'000'000'000'000'000);
    report.elapsed = std::chrono::seconds(10);
    for (std::uint32_t i = 0; i < names.size(); ++i) {
        report.flows.push_back(faithful_flow(i + 1, names[i]));
    }
    report.receivers.push_back({.address = "10.0.0.2:9000",
                                .host = "beta",
                                .lost = "",
                                .log_file = "/var/log/recv.glog",
                                .log_error = "",
                                .same_clock = false,
                                .offset = OffsetReport{Nanos(-1'500'000), Nanos(40'000), -12.34, 0.56, {}, 60}});
    report.log = LogReport{.name = "send.glog", .records = 10'000, .bytes = 84'000, .error = ""};
    return report;
}

}  // namespace groma
