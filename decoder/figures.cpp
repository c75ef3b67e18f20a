#include "decoder/figures.hpp"

namespace groma {

const FigureTable<SeriesRow>& series_figures() {
    using Row = SeriesRow;
    static const FigureTable<Row> kTable =
        FigureTable<Row>()
            .add("t_s", "start of the interval, from the start of the run", &Row::t_s)
            .add("sent_packets", "packets that left", &Row::sent_packets)
            .add("received_packets", "packets that arrived, every copy", &Row::received_packets)
            .add("received_bytes", "their payload", &Row::received_bytes)
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
