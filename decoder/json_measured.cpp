#include "decoder/json_measured.hpp"

#include "common/figures/figure_json.hpp"
#include "decoder/figures.hpp"

namespace groma {

namespace {

Json counts_json(const std::map<std::uint8_t, std::uint64_t>& counts) {
    Json json = Json::object();
    for (const auto& [value, packets] : counts) {
        json[std::to_string(value)] = packets;
    }
    return json;
}

}  // namespace

Json to_json(const Spread& spread) {
    if (spread.count == 0) {
        return nullptr;
    }
    return {{"count", spread.count},  {"min", spread.min},   {"mean", spread.mean},
            {"sd", spread.deviation}, {"p50", spread.p50},   {"p90", spread.p90},
            {"p99", spread.p99},      {"p999", spread.p999}, {"max", spread.max}};
}

Json round_trip_json(const std::optional<RoundTripFigures>& figures) {
    if (not figures) {
        return nullptr;
    }
    return {{"replies", figures->replies},
            {"duplicates", figures->duplicates},
            {"without_sequence_number", figures->unnumbered},
            {"without_departure_time", figures->undated},
            {"lost", or_null(figures->lost)},
            {"backward_lost", or_null(figures->backward_lost)},
            {"backward_lost_from", figures->backward_from},
            {"rtt_ns", to_json(figures->rtt_ns)},
            {"network_ns", to_json(figures->network_ns)},
            {"residence_ns", to_json(figures->residence_ns)},
            {"one_way", figures->one_way_is_relative ? "relative" : "absolute"},
            {"forward_ns", to_json(figures->forward_ns)},
            {"backward_ns", to_json(figures->backward_ns)}};
}

Json transmit_json(const std::optional<TransmitFigures>& figures) {
    if (not figures) {
        return nullptr;
    }
    return {{"stamps", figures->stamps},
            {"packets", figures->packets},
            {"unmatched", figures->unmatched},
            {"stack_ns", to_json(figures->stack_ns)},
            {"delay_ns", to_json(figures->delay_ns)}};
}

Json connection_json(const ConnectionFigures& figures) {
    return {{"side", figures.side == LogRole::sender ? "sender" : "receiver"},
            {"rtt_ns", to_json(figures.rtt_ns)},
            {"cwnd", to_json(figures.cwnd)},
            {"retransmitted", or_null(figures.retransmitted)},
            {"retransmitted_bytes", or_null(figures.retransmitted_bytes)},
            {"delivery_rate_min_bps", or_null(figures.delivery_rate_min_bps)},
            {"delivery_rate_max_bps", or_null(figures.delivery_rate_max_bps)},
            {"pacing_rate_max_bps", or_null(figures.pacing_rate_max_bps)},
            {"tcp_efficiency", or_null(figures.efficiency)},
            {"buffer_delay", or_null(figures.buffer_delay)},
            {"transfer_time_ratio", or_null(figures.transfer_time_ratio)},
            {"samples_left_out", figures.left_out},
            {"samples", rows_json(sample_figures(), figures.samples)}};
}

Json arrival_header_json(const ArrivalHeaderFigures& figures) {
    if (not figures.known()) {
        return nullptr;
    }
    return {{"ttl", counts_json(figures.ttl)}, {"ds_byte", counts_json(figures.ds_byte)}};
}

Json clock_health_json(const std::optional<ClockHealth>& clock) {
    if (not clock) {
        return nullptr;
    }
    return {{"synchronised", clock->synchronised},
            {"estimated_error_ns", clock->estimated_error.count()},
            {"maximum_error_ns", clock->maximum_error.count()},
            {"frequency_ppm", clock->frequency_ppm}};
}

}  // namespace groma
