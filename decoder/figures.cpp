#include "decoder/figures.hpp"

#include "common/stats/fidelity_figures.hpp"
#include "common/stats/spread_figures.hpp"

namespace groma {

namespace {

using FlowTable = FigureTable<FlowFigures>;

/// Of a part of the figures that may not be there.
template <typename Part, typename Get>
auto of_part(std::optional<Part> FlowFigures::*part, Get get) {
    using Known = WhenKnown<std::invoke_result_t<Get, const Part&>>;
    return [part, get](const FlowFigures& it) -> std::optional<Known> {
        return it.*part ? std::optional<Known>(std::invoke(get, *(it.*part))) : std::nullopt;
    };
}

template <typename Get>
auto of_sent(Get get) {
    return of_part(&FlowFigures::sent, get);
}

template <typename Get>
auto of_received(Get get) {
    return of_part(&FlowFigures::received, get);
}

void add_received_spread(FlowTable& table, std::string_view what, std::string_view unit, std::string_view meaning,
                         Spread ReceivedFigures::*spread) {
    add_spread(table, what, unit, meaning, [spread](const FlowFigures& it) -> const Spread* {
        return it.received ? &((*it.received).*spread) : nullptr;
    });
}

/// Of the pattern of losses, where it is known.
template <typename Get>
auto of_losses(Get get) {
    using Known = WhenKnown<std::invoke_result_t<Get, const LossPatternCounts&>>;
    return [get](const FlowFigures& it) -> std::optional<Known> {
        const auto& counts = it.loss_pattern.counts;
        return counts ? std::optional<Known>(std::invoke(get, *counts)) : std::nullopt;
    };
}

template <typename Get>
auto of_periods(Get get) {
    return of_losses([get](const LossPatternCounts& it) {
        return it.periods.count() > 0 ? std::optional(std::invoke(get, it.periods)) : std::nullopt;
    });
}

auto share_value(std::optional<Proportion> (LossPatternCounts::*share)() const) {
    return of_losses([share](const LossPatternCounts& it) {
        const auto found = (it.*share)();
        return found ? std::optional(found->value) : std::nullopt;
    });
}

auto share_error(std::optional<Proportion> (LossPatternCounts::*share)() const) {
    return of_losses([share](const LossPatternCounts& it) {
        const auto found = (it.*share)();
        return found ? found->error : std::nullopt;
    });
}

void add_counts(FlowTable& table) {
    using R = ReceivedFigures;
    table.add("sent_packets", "packets that left", of_sent(&SentFigures::packets))
        .add("sent_bytes", "their payload, bytes", of_sent(&SentFigures::bytes))
        .add("due_packets", "packets that left, once for each receiver: those that could be lost",
             &FlowFigures::due_packets)
        .add("received_packets", "packets that arrived, every copy", of_received(&R::packets))
        .add("received_bytes", "their payload, bytes", of_received(&R::bytes))
        .add("lost", "packets that left and never arrived", [](const FlowFigures& it) { return it.loss.packets; })
        .add("lost_ratio", "lost / due_packets", &FlowFigures::lost_ratio)
        .add("duplicates", "further copies of packets that had arrived", of_received(&R::duplicates))
        .add("packets_with_copies", "packets of which more than one copy arrived", of_received(&R::copied))
        .add("reordered", "packets with a smaller number than one that arrived before (RFC 4737)",
             of_received(&R::reordered))
        .add("duration_s", "first to last arrival", of_received([](const R& it) {
                 return it.duration ? std::optional(to_seconds(*it.duration)) : std::nullopt;
             }))
        .add("throughput_bps", "bits of payload that arrived per second, first to last arrival",
             of_received(&R::throughput_bps))
        .add("packet_rate_pps", "packets that arrived per second", of_received(&R::packet_rate_pps))
        .add("throughput_ip_bps", "throughput with the headers of IP and transport", of_received(&R::throughput_ip_bps))
        .add("throughput_ethernet_bps", "throughput with all that a packet takes of an Ethernet",
             of_received(&R::throughput_ethernet_bps));
}

void add_delays(FlowTable& table) {
    using R = ReceivedFigures;
    add_received_spread(table, "delay", "ns", "the one-way delay (RFC 7679)", &R::delay_ns);
    table.add("jitter_ditg_ns", "mean difference between the delays of packets that arrived one after the other",
              of_received(&R::jitter_ditg_ns));
    table.add("jitter_rfc3550_ns", "interarrival jitter (RFC 3550, 6.4.1), its last value",
              of_received(&R::jitter_rfc3550_ns));
    add_received_spread(table, "pdv", "ns", "the delay less the flow's smallest: PDV (RFC 5481)", &R::pdv_ns);
    add_received_spread(table, "ipdv", "ns", "the difference of the delays of neighbours: IPDV (RFC 3393)",
                        &R::ipdv_ns);
    table.add("ipdv_missed", "neighbours that both arrived and could not be compared", of_received(&R::ipdv_missed));
}

void add_loss_pattern(FlowTable& table) {
    using L = LossPatternCounts;
    table.add("loss_packets", "packets of which it is known whether they were lost", of_losses(&L::packets))
        .add("loss_lost", "those that were", of_losses(&L::lost))
        .add("loss_periods", "runs of lost packets (RFC 3357)",
             of_losses([](const L& it) { return it.periods.count(); }))
        .add("loss_period_mean", "mean length of these runs, packets", of_periods(&LogHistogram::mean))
        .add("loss_period_max", "longest run, packets", of_periods(&LogHistogram::max))
        .add("loss_distance_mean", "mean distance from one lost packet to the next (RFC 3357), packets",
             of_losses([](const L& it) {
                 return it.distances.count() > 0 ? std::optional(it.distances.mean()) : std::nullopt;
             }))
        .add("gilbert_p", "share of received packets that a lost one follows", share_value(&L::gilbert_p))
        .add("gilbert_p_error", "its standard error", share_error(&L::gilbert_p))
        .add("gilbert_r", "share of lost packets that a received one follows", share_value(&L::gilbert_r))
        .add("gilbert_r_error", "its standard error", share_error(&L::gilbert_r))
        .add("good_followed", "received packets that another followed", of_losses(&L::good_followed))
        .add("good_to_bad", "of them, those that a lost one followed", of_losses(&L::good_to_bad))
        .add("bad_followed", "lost packets that another followed", of_losses(&L::bad_followed))
        .add("bad_to_good", "of them, those that a received one followed", of_losses(&L::bad_to_good))
        .add("loss_pattern_to_the_end", "false: no further than the highest number that was received",
             [](const FlowFigures& it) {
                 return it.loss_pattern.counts ? std::optional(it.loss_pattern.to_the_end) : std::nullopt;
             })
        .add("loss_pattern_unknown_because", "why there is no pattern", [](const FlowFigures& it) {
            return it.loss_pattern.counts ? std::nullopt : std::optional(it.loss_pattern.unknown_because);
        });
}

void add_order(FlowTable& table) {
    using R = ReceivedFigures;
    table.add("reordered_ratio", "reordered / packets that arrived", of_received(&R::reordered_ratio));
    add_spread(table, "extent", "", "the reordering extent (RFC 4737, 4.2.2), packets",
               [](const FlowFigures& it) { return it.received ? &it.received->reordering.extents : nullptr; });
    table.add("extents_unknown", "reordered packets whose extent is not known",
              of_received([](const R& it) { return it.reordering.beyond; }));
    table.add("three_reordered", "packets that are 3-reordered (RFC 4737, 5.3)",
              of_received([](const R& it) { return it.reordering.n_reordered(3); }));
}

FlowTable make_flow_table() {
    FlowTable table;
    add_counts(table);
    add_delays(table);
    table.add_all(fidelity_figures(), [](const FlowFigures& it) { return it.sent ? &it.sent->fidelity : nullptr; });
    add_loss_pattern(table);
    add_order(table);
    table.add("clock", "how the two sides' clocks are related",
              [](const FlowFigures& it) { return std::string(to_string(it.clock.kind)); });
    return table;
}

}  // namespace

const FigureTable<FlowFigures>& flow_figures() {
    static const FlowTable kTable = make_flow_table();
    return kTable;
}

const FigureTable<SeriesRow>& series_figures() {
    using Row = SeriesRow;
    static const FigureTable<Row> kTable =
        FigureTable<Row>()
            .add("t_s", "start of the interval, from the start of the run", &Row::t_s)
            .add("sent_packets", "packets that left", &Row::sent_packets)
            .add("received_packets", "packets that arrived, every copy", &Row::received_packets)
            .add("received_bytes", "their payload, bytes", &Row::received_bytes)
            .add("throughput_bps", "payload that arrived, in bits, per second", &Row::throughput_bps)
            .add("packet_rate_pps", "packets that arrived per second", &Row::packet_rate_pps)
            .add("delay_mean_ns", "mean one-way delay of what arrived", &Row::delay_mean_ns)
            .add("delay_min_ns", "smallest one-way delay", &Row::delay_min_ns)
            .add("delay_max_ns", "largest one-way delay", &Row::delay_max_ns)
            .add("jitter_ns", "mean difference between the delays of packets that arrived one after the other",
                 &Row::jitter_ns)
            .add("lost", "packets that left in this interval and never arrived", &Row::lost)
            .add("returned_packets", "replies that arrived, every copy", &Row::returned_packets)
            .add("rtt_mean_ns", "mean round-trip time of the replies", &Row::rtt_mean_ns)
            .add("rtt_min_ns", "smallest round-trip time", &Row::rtt_min_ns)
            .add("rtt_max_ns", "largest round-trip time", &Row::rtt_max_ns);
    return kTable;
}

const FigureTable<ClockStep>& clock_step_figures() {
    static const FigureTable<ClockStep> kTable =
        FigureTable<ClockStep>()
            .add("at_ns", "when, on the sender's clock, since 1970", &ClockStep::at)
            .add("within_ns", "it happened at most so long before or after", &ClockStep::within)
            .add("size_ns", "positive: the receiver's clock jumped ahead of the sender's", &ClockStep::size)
            .add("error_ns", "largest error of the size", &ClockStep::error);
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
            .add("segment", "largest segment or packet, bytes", of(&S::segment));
    return kTable;
}

const FigureTable<LogGap>& log_gap_figures() {
    static const FigureTable<LogGap> kTable = FigureTable<LogGap>()
                                                  .add("offset", "where in the file", &LogGap::offset)
                                                  .add("bytes", "its length", &LogGap::bytes)
                                                  .add("reason", "why it cannot be read", &LogGap::reason);
    return kTable;
}

}  // namespace groma
