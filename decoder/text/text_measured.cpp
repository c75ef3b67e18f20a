#include "decoder/text/text_measured.hpp"

#include <fmt/format.h>

#include "decoder/text/text_parts.hpp"

namespace groma {

namespace {

std::string round_trips(const RunResult& run) {
    Table table({{"flow"},
                 {"sent"},
                 {"returned"},
                 {"lost"},
                 {"lost forward"},
                 {"lost backward"},
                 {"duplicates"},
                 left("lost backward from")});
    for (const FlowResult& flow : run.flows) {
        if (flow.round_trip) {
            const RoundTripFigures& it = *flow.round_trip;
            table.add_row({label(flow), flow.sent ? std::to_string(flow.sent->packets) : kUnknown,
                           std::to_string(it.replies), count(it.lost), count(flow.loss.packets),
                           count(it.backward_lost), std::to_string(it.duplicates), it.backward_from});
        }
    }
    return section("Round trip: packets", table);
}

std::string round_trip_times(const RunResult& run) {
    Table table(with_times({{"flow"}, left("time")}));
    for (const FlowResult& flow : run.flows) {
        if (not flow.round_trip) {
            continue;
        }
        const RoundTripFigures& it = *flow.round_trip;
        const std::string relative = it.one_way_is_relative ? ", relative to its minimum" : "";
        add_times(table, {label(flow), "round trip"}, it.rtt_ns);
        add_times(table, {label(flow), "from the schedule on"}, it.scheduled_rtt_ns);
        add_times(table, {label(flow), "less the receiver's share"}, it.network_ns);
        add_times(table, {label(flow), "in the receiver"}, it.residence_ns);
        add_times(table, {label(flow), "one way, forward" + relative}, it.forward_ns);
        add_times(table, {label(flow), "one way, backward" + relative}, it.backward_ns);
    }
    return section("Round trip: times", table);
}

std::string transmit_times(const RunResult& run) {
    Table table(with_times({{"flow"}, left("time")}));
    for (const FlowResult& flow : run.flows) {
        if (flow.transmit) {
            const TransmitFigures& it = *flow.transmit;
            add_times(table, {label(flow), "from the send call to the " + it.stamps + "'s stamp"}, it.stack_ns);
            add_times(table, {label(flow), "one way, from the " + it.stamps + "'s stamp on"}, it.delay_ns);
        }
    }
    return section("Transmit stamps", table);
}

std::string share(const std::optional<double>& value) {
    return known(value, [](double it) { return significant(100 * it, 5) + " %"; });
}

std::string bits(const std::optional<std::uint64_t>& rate) {
    return known(rate, [](std::uint64_t bps) { return human_bits(static_cast<double>(bps)); });
}

std::string bytes(const Spread& spread) {
    return spread.count == 0 ? kUnknown
                             : human_bytes(static_cast<std::uint64_t>(spread.min)) + " to " +
                                   human_bytes(static_cast<std::uint64_t>(spread.max));
}

std::string connections(const RunResult& run) {
    Table table({{"flow"},
                 left("side"),
                 {"samples"},
                 {"smoothed rtt min"},
                 {"mean"},
                 {"max"},
                 {"mean in flight"},
                 {"min rtt"},
                 {"retransmitted"},
                 {"bytes"},
                 {"cwnd"},
                 {"delivery rate up to"},
                 {"efficiency"},
                 {"buffer delay"},
                 {"time ratio"}});
    for (const FlowResult& flow : run.flows) {
        for (const ConnectionFigures& it : flow.connections) {
            const Spread& rtt = it.rtt_ns;
            const bool timed = rtt.count > 0;
            table.add_row({label(flow), std::string(to_string(it.side)),
                           std::to_string(it.samples.size() + it.left_out),
                           timed ? human_time(Nanos{rtt.min}) : kUnknown, timed ? time_of(rtt.mean) : kUnknown,
                           timed ? human_time(Nanos{rtt.max}) : kUnknown, known(it.loaded_rtt_mean_ns, time_of),
                           known(it.min_rtt, human_time), count(it.retransmitted), count(it.retransmitted_bytes),
                           bytes(it.cwnd), bits(it.delivery_rate_max_bps), share(it.efficiency), share(it.buffer_delay),
                           known(it.transfer_time_ratio, [](double ratio) { return significant(ratio, 4); })});
        }
    }
    return section("Connections, as the kernels tell (RFC 6349)", table);
}

template <typename Name>
std::string distribution(const std::map<std::uint8_t, std::uint64_t>& counts, Name name) {
    std::string text;
    for (const auto& [value, packets] : counts) {
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", name(value), packets);
    }
    return text;
}

std::string arrival_headers(const RunResult& run) {
    Table table({{"flow"}, left("TTL or hop limit: packets"), left("DS byte: packets")});
    for (const FlowResult& flow : run.flows) {
        if (flow.arrival_header.known()) {
            table.add_row(
                {label(flow), distribution(flow.arrival_header.ttl, [](unsigned it) { return std::to_string(it); }),
                 distribution(flow.arrival_header.ds_byte, [](unsigned it) { return fmt::format("0x{:02x}", it); })});
        }
    }
    return section("Headers as they arrived", table);
}

}  // namespace

std::string measured_text(const RunResult& run) {
    return round_trips(run) + round_trip_times(run) + transmit_times(run) + connections(run) + arrival_headers(run);
}

std::string clock_health_text(const std::optional<ClockHealth>& clock) {
    if (not clock) {
        return {};
    }
    if (not clock->synchronised) {
        return "    its kernel says: clock not synchronised\n";
    }
    return fmt::format(
        "    its kernel says: clock synchronised, estimated error {}, at most {}, frequency {:+.3f} ppm\n",
        human_time(clock->estimated_error), human_time(clock->maximum_error), clock->frequency_ppm);
}

}  // namespace groma
