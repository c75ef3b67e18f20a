#include "common/figures/interval_row.hpp"

namespace groma {

namespace {

std::optional<double> per_second(std::optional<std::uint64_t> count, std::optional<Nanos> over) {
    return count and over and *over > Nanos{0} ? std::optional(static_cast<double>(*count) / to_seconds(*over))
                                               : std::nullopt;
}

std::optional<double> bits(std::optional<double> bytes) {
    return bytes ? std::optional(8 * *bytes) : std::nullopt;
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

}  // namespace groma
