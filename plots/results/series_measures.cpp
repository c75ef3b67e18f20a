#include "plots/results/series_measures.hpp"

namespace groma {

namespace {

constexpr const char* kSender = "the sender's log";
constexpr const char* kReceiver = "the receiver's log";
constexpr const char* kBoth = "the logs of both sides";

}  // namespace

const std::vector<SeriesMeasure>& series_measures() {
    static const std::vector<SeriesMeasure> kMeasures = {
        {"throughput", "throughput received (payload)", Quantity::bits_per_second, kReceiver,
         [](const SeriesPoint& p) { return p.throughput_bps; }},
        {"packet-rate", "packet rate received", Quantity::packets_per_second, kReceiver,
         [](const SeriesPoint& p) { return p.packet_rate_pps; }},
        {"sent-rate", "packet rate sent", Quantity::packets_per_second, kSender,
         [](const SeriesPoint& p) { return p.sent_rate_pps; }},
        {"delay", "one-way delay, mean", Quantity::nanoseconds, kReceiver,
         [](const SeriesPoint& p) { return p.delay_mean_ns; }, [](const SeriesPoint& p) { return p.delay_min_ns; },
         [](const SeriesPoint& p) { return p.delay_max_ns; }},
        {"jitter", "jitter, mean", Quantity::nanoseconds, kReceiver, [](const SeriesPoint& p) { return p.jitter_ns; }},
        {.stem = "loss",
         .what = "packets lost in an interval",
         .quantity = Quantity::packets,
         .needs = kBoth,
         .value = [](const SeriesPoint& p) { return p.lost; },
         .none = "no loss"},
        {"rtt", "round-trip time, mean", Quantity::nanoseconds, nullptr,
         [](const SeriesPoint& p) { return p.rtt_mean_ns; }, [](const SeriesPoint& p) { return p.rtt_min_ns; },
         [](const SeriesPoint& p) { return p.rtt_max_ns; }},
        {.stem = "connection-rtt",
         .what = "smoothed round-trip time of the connection",
         .quantity = Quantity::nanoseconds,
         .of_connection = [](const ConnectionPoint& p) { return p.rtt_ns; }},
        {.stem = "cwnd",
         .what = "congestion window",
         .quantity = Quantity::bytes,
         .of_connection = [](const ConnectionPoint& p) { return p.cwnd_bytes; }},
        {.stem = "retransmissions",
         .what = "retransmitted since the start",
         .quantity = Quantity::segments,
         .of_connection = [](const ConnectionPoint& p) { return p.retransmitted; },
         .none = "none"},
    };
    return kMeasures;
}

}  // namespace groma
