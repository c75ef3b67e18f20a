#include "common/stats/histograms/spread_figures.hpp"
#include "decoder/results/figures.hpp"

namespace groma {

namespace {

template <typename Value>
auto of_trip(Value RoundTripFigures::*figure) {
    return [figure](const FlowResult& it) { return (*it.round_trip).*figure; };
}

void add_trip_spread(FigureTable<FlowResult>& table, std::string_view what, std::string_view meaning,
                     Spread RoundTripFigures::*spread) {
    add_spread(table, what, "ns", meaning, [spread](const FlowResult& it) { return &((*it.round_trip).*spread); });
}

FigureTable<FlowResult> make_round_trips() {
    using R = RoundTripFigures;
    FigureTable<FlowResult> table;
    table.add("returned_packets", "replies that came back, every copy", of_trip(&R::replies))
        .add("duplicates", "further copies of replies", of_trip(&R::duplicates))
        .add("unnumbered", "replies too small for a sequence number", of_trip(&R::unnumbered))
        .add("undated", "first copies whose departure is unknown: no round-trip time", of_trip(&R::undated))
        .add("lost", "packets that left and did not come back", of_trip(&R::lost))
        .add("forward_lost", "packets that left and did not reach the receiver",
             [](const FlowResult& it) { return it.loss.packets; })
        .add("backward_lost", "packets that reached the receiver and did not come back", of_trip(&R::backward_lost))
        .add("backward_lost_from", "where `backward_lost` is from, or why it is unknown", of_trip(&R::backward_from))
        .add("one_way", "`absolute`, or `relative`: `forward` and `backward` are less their smallest value",
             [](const FlowResult& it) { return it.round_trip->one_way_is_relative ? "relative" : "absolute"; });
    add_trip_spread(table, "rtt", "the round-trip time", &R::rtt_ns);
    add_trip_spread(table, "scheduled_rtt",
                    "the time from the scheduled departure on: the round-trip time, and how late the packet left",
                    &R::scheduled_rtt_ns);
    add_trip_spread(table, "rtt_network", "the round-trip time less the residence", &R::network_ns);
    add_trip_spread(table, "residence", "the time that the receiver held the packet", &R::residence_ns);
    add_trip_spread(table, "forward", "the one-way delay to the receiver", &R::forward_ns);
    add_trip_spread(table, "backward", "the one-way delay back", &R::backward_ns);
    return table;
}

FigureTable<TransmitFigures> make_transmits() {
    using T = TransmitFigures;
    FigureTable<T> table;
    table.add("stamps", "who made the stamps: `kernel` or `hardware`", &T::stamps)
        .add("packets", "packets with a stamp", &T::packets)
        .add("unmatched", "stamps of packets that have no record in the log", &T::unmatched);
    add_spread(table, "stack", "ns", "the time in the sender's stack: the stamp less the program's time",
               [](const T& it) { return &it.stack_ns; });
    add_spread(table, "transmit_delay", "ns", "the one-way delay from the stamp on",
               [](const T& it) { return &it.delay_ns; });
    return table;
}

FigureTable<ConnectionFigures> make_connections() {
    using C = ConnectionFigures;
    FigureTable<C> table;
    table.add("side", "`sender` or `receiver`", [](const C& it) { return to_string(it.side); })
        .add("sample_count", "samples that were taken", [](const C& it) { return it.samples.size() + it.left_out; })
        .add("samples_left_out", "samples that are in these figures and not in the list", &C::left_out);
    add_spread(table, "rtt", "ns", "the smoothed round-trip time", [](const C& it) { return &it.rtt_ns; });
    table.add("min_rtt_ns", "smallest round-trip time, not smoothed", &C::min_rtt)
        .add("loaded_rtt_mean_ns", "mean of the smoothed round-trip times with data in flight", &C::loaded_rtt_mean_ns);
    add_spread(table, "cwnd", "", "the congestion window, bytes", [](const C& it) { return &it.cwnd; });
    table.add("retransmitted", "segments or chunks that were sent again", &C::retransmitted)
        .add("retransmitted_bytes", "their bytes", &C::retransmitted_bytes)
        .add("delivery_rate_min_bps", "lowest rate at which the peer acknowledged, unless the flow had less to send",
             &C::delivery_rate_min_bps)
        .add("delivery_rate_max_bps", "highest rate at which the peer acknowledged, likewise",
             &C::delivery_rate_max_bps)
        .add("pacing_rate_max_bps", "highest rate at which the kernel paced", &C::pacing_rate_max_bps)
        .add("tcp_efficiency", "share of the bytes that were sent for the first time (RFC 6349, 4.2)", &C::efficiency)
        .add("buffer_delay", "(`loaded_rtt_mean_ns` - `min_rtt_ns`) / `min_rtt_ns`, at least 0 (RFC 6349, 4.3)",
             &C::buffer_delay)
        .add("transfer_time_ratio", "actual time / time at the rate of the bottleneck (RFC 6349, 4.1)",
             &C::transfer_time_ratio);
    return table;
}

}  // namespace

const FigureTable<FlowResult>& round_trip_figures() {
    static const FigureTable<FlowResult> kTable = make_round_trips();
    return kTable;
}

const FigureTable<TransmitFigures>& transmit_figures() {
    static const FigureTable<TransmitFigures> kTable = make_transmits();
    return kTable;
}

const FigureTable<ConnectionFigures>& connection_figures() {
    static const FigureTable<ConnectionFigures> kTable = make_connections();
    return kTable;
}

const FigureTable<TimedSample>& sample_figures() {
    const auto of = [](auto ConnectionSample::*member) {
        return [member](const TimedSample& it) { return it.sample.*member; };
    };
    using S = ConnectionSample;
    static const FigureTable<TimedSample> kTable =
        FigureTable<TimedSample>()
            .add("t_s", "when, from the start of the run, on that side's clock", &TimedSample::t_s)
            .add("rtt_ns", "smoothed round-trip time", of(&S::rtt))
            .add("rtt_variation_ns", "its variation", of(&S::rtt_variation))
            .add("cwnd", "congestion window, bytes", of(&S::cwnd))
            .add("ssthresh", "slow start threshold, bytes", of(&S::ssthresh))
            .add("in_flight", "bytes that were sent and not acknowledged", of(&S::in_flight))
            .add("retransmitted", "segments or chunks that were sent again, since the start", of(&S::retransmitted))
            .add("retransmitted_bytes", "their bytes", of(&S::retransmitted_bytes))
            .add("delivery_rate_bps", "rate at which the peer acknowledged", of(&S::delivery_rate_bps))
            .add("pacing_rate_bps", "rate at which the kernel sends at most", of(&S::pacing_rate_bps))
            .add("segment", "largest segment or packet, bytes", of(&S::segment))
            .add("min_rtt_ns", "smallest round-trip time of the last minutes, not smoothed", of(&S::min_rtt))
            .add("application_limited", "1: the flow had less to send than the path takes; 0: not so",
                 of(&S::application_limited))
            .add("acknowledged_bytes", "bytes that the peer acknowledged, since the start", of(&S::acknowledged_bytes));
    return kTable;
}

const FigureTable<HeaderCount>& header_count_figures() {
    static const FigureTable<HeaderCount> kTable =
        FigureTable<HeaderCount>()
            .add("field", "`ttl` (or hop limit) or `ds_byte`", &HeaderCount::field)
            .add("value", "its value", &HeaderCount::value)
            .add("packets", "packets that arrived with it", &HeaderCount::packets);
    return kTable;
}

const FigureTable<NReorderingRow>& n_reordering_figures() {
    static const FigureTable<NReorderingRow> kTable =
        FigureTable<NReorderingRow>()
            .add("n", "n (RFC 4737, 5.3)", &NReorderingRow::n)
            .add("packets", "packets that are n-reordered", &NReorderingRow::packets)
            .add("degree", "their share of the packets that arrived, without copies", &NReorderingRow::degree);
    return kTable;
}

const FigureTable<ReorderDensityRow>& reorder_density_figures() {
    static const FigureTable<ReorderDensityRow> kTable =
        FigureTable<ReorderDensityRow>()
            .add("displacement", "receive index less number: packets that it came late, or early if below 0",
                 &ReorderDensityRow::displacement)
            .add("packets", "packets that were displaced so", &ReorderDensityRow::packets)
            .add("share", "their share: the reorder density (RFC 5236, 3)", &ReorderDensityRow::share);
    return kTable;
}

}  // namespace groma
