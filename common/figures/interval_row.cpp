#include "common/figures/interval_row.hpp"

#include <algorithm>

namespace groma {

namespace {

std::optional<double> per_second(std::optional<std::uint64_t> count, std::optional<Nanos> over) {
    return count and over and *over > Nanos{0} ? std::optional(static_cast<double>(*count) / to_seconds(*over))
                                               : std::nullopt;
}

std::optional<double> bits(std::optional<double> bytes) {
    return bytes ? std::optional(8 * *bytes) : std::nullopt;
}

template <typename Number>
std::optional<Number> sum_of(const std::optional<Number>& a, const std::optional<Number>& b) {
    return a and b ? std::optional<Number>(*a + *b) : a ? a : b;
}

/// A delay, if there are delays of packets.
template <Nanos RowDelays::*kDelay>
std::optional<Nanos> delay_of(const RowFigures& row) {
    return row.delays and row.delays->packets > 0 ? std::optional((*row.delays).*kDelay) : std::nullopt;
}

std::optional<RowDelays> joined_delays(const std::optional<RowDelays>& a, const std::optional<RowDelays>& b) {
    if (not a or not b or a->packets == 0 or b->packets == 0) {
        return a and a->packets > 0 ? a : b ? b : a;
    }
    return RowDelays{.packets = a->packets + b->packets,
                     .min = std::min(a->min, b->min),
                     .p50 = std::max(a->p50, b->p50),
                     .p90 = std::max(a->p90, b->p90),
                     .p99 = std::max(a->p99, b->p99),
                     .max = std::max(a->max, b->max)};
}

}  // namespace

std::optional<double> RowFigures::sent_pps() const {
    return per_second(sent_packets, length);
}
std::optional<double> RowFigures::sent_bps() const {
    return bits(per_second(sent_bytes, length));
}
std::optional<double> RowFigures::packet_rate_pps() const {
    return per_second(received_packets, received_over);
}
std::optional<double> RowFigures::throughput_bps() const {
    return bits(per_second(received_bytes, received_over));
}
std::optional<Nanos> RowFigures::counted_over() const {
    return received_over or not received_packets ? received_over : length;
}
std::optional<double> RowFigures::returned_pps() const {
    return per_second(returned_packets, length);
}

const FigureTable<RowFigures>& row_figures() {
    using Row = RowFigures;
    static const FigureTable<Row> table =
        FigureTable<Row>()
            .add("t_s", "start of the interval, from the start of the run",
                 [](const Row& row) { return to_seconds(row.from); })
            .add("interval_s", "its length", [](const Row& row) { return to_seconds(row.length); })
            .add("sent_packets", "packets that left in the interval", &Row::sent_packets)
            .add("sent_bytes", "their payload, bytes", &Row::sent_bytes)
            .add("sent_pps", "sent_packets per second", &Row::sent_pps)
            .add("sent_bps", "sent_bytes per second, bits", &Row::sent_bps)
            .add("received_packets",
                 "packets that arrived since the receivers told last, every copy; unknown where one has not told",
                 &Row::received_packets)
            .add("received_bytes", "their payload, bytes", &Row::received_bytes)
            .add("packet_rate_pps", "received_packets per second, over the time by the receivers' clocks",
                 &Row::packet_rate_pps)
            .add("throughput_bps", "received_bytes per second, bits, likewise", &Row::throughput_bps)
            .add("missing_packets",
                 "sequence numbers below the highest that have not arrived since the start of the run: some may be on "
                 "their way; unknown with `header = \"none\"` and in the last row",
                 &Row::missing_packets)
            .add("lost", "as in the report; only in the last row", &Row::lost)
            .add("returned_packets", "replies that came back in the interval; unknown without the round-trip meter",
                 &Row::returned_packets)
            .add("retransmitted", "segments or chunks that the transport sent again in the interval (TCP, MPTCP, SCTP)",
                 &Row::retransmitted)
            .add("rtt_transport_ns",
                 "smoothed round-trip time of the transport at the end of the interval, of one flow",
                 &Row::rtt_transport);
    return table;
}

const FigureTable<RowFigures>& live_figures() {
    static const FigureTable<RowFigures> table = [] {
        FigureTable<RowFigures> all = row_figures();
        all.add("received_over_s",
                "the time that packet_rate_pps is over; where that is unknown although packets are known, interval_s",
                [](const RowFigures& row) {
                    const std::optional<Nanos> over = row.counted_over();
                    return over ? std::optional(to_seconds(*over)) : std::nullopt;
                });
        all.add("delay_min_ns", "smallest one-way delay of the packets that arrived in the interval, by both clocks",
                delay_of<&RowDelays::min>);
        all.add("delay_p50_ns", "their median", delay_of<&RowDelays::p50>);
        all.add("delay_p90_ns", "their 90th percentile", delay_of<&RowDelays::p90>);
        all.add("delay_p99_ns", "their 99th percentile", delay_of<&RowDelays::p99>);
        all.add("delay_max_ns", "the largest", delay_of<&RowDelays::max>);
        return all;
    }();
    return table;
}

RowFigures joined(const RowFigures& earlier, const RowFigures& later) {
    const auto latest = [](const auto& a, const auto& b) { return b ? b : a; };
    return {.from = earlier.from,
            .length = later.from + later.length - earlier.from,
            .sent_packets = sum_of(earlier.sent_packets, later.sent_packets),
            .sent_bytes = sum_of(earlier.sent_bytes, later.sent_bytes),
            .received_packets = sum_of(earlier.received_packets, later.received_packets),
            .received_bytes = sum_of(earlier.received_bytes, later.received_bytes),
            .received_over = sum_of(earlier.counted_over(), later.counted_over()),
            .missing_packets = latest(earlier.missing_packets, later.missing_packets),
            .lost = latest(earlier.lost, later.lost),
            .returned_packets = sum_of(earlier.returned_packets, later.returned_packets),
            .retransmitted = sum_of(earlier.retransmitted, later.retransmitted),
            .rtt_transport = latest(earlier.rtt_transport, later.rtt_transport),
            .delays = joined_delays(earlier.delays, later.delays)};
}

RowFigures without_time(RowFigures row) {
    row.length = Nanos{0};
    row.received_over = row.received_packets ? std::optional(Nanos{0}) : std::nullopt;
    return row;
}

}  // namespace groma
