#include "decoder/total.hpp"

#include <algorithm>

#include "common/stats/fidelity_sum.hpp"
#include "decoder/flow_notes.hpp"
#include "decoder/spread_sum.hpp"

namespace groma {

namespace {

/// Which figures are known of all flows.
struct Known {
    bool sent = true;
    bool received = true;
    bool delay = true;
    bool lost_by_interval = true;
    bool returned = true;
};

Known known_of(const std::vector<FlowResult>& flows) {
    Known known;
    for (const auto& flow : flows) {
        known.sent = known.sent and flow.sent;
        known.received = known.received and flow.received;
        known.delay = known.delay and flow.received and flow.clock.absolute();
        known.returned = known.returned and (flow.round_trip or flow.receiver_number > 1);
        known.lost_by_interval = known.lost_by_interval and loss_by_interval_is_known(flow);
    }
    return known;
}

/// Of what left, however many receivers it went to.
template <typename Figure, typename Of>
std::optional<Figure> sum_of_sent(const std::vector<FlowResult>& flows, Of of) {
    Figure sum{};
    for (const auto& flow : flows) {
        if (flow.receiver_number == 1) {
            sum += of(flow);
        }
    }
    return sum;
}

template <typename Figure, typename Of>
std::optional<Figure> sum(const std::vector<FlowResult>& flows, Of of) {
    Figure sum{};
    for (const auto& flow : flows) {
        sum += of(flow);
    }
    return sum;
}

void add_sent(const std::vector<FlowResult>& flows, TotalResult& total) {
    total.sent_packets = sum_of_sent<std::uint64_t>(flows, [](const auto& flow) { return flow.sent->packets; });
    total.due_packets = sum<std::uint64_t>(flows, [](const auto& flow) { return flow.sent->packets; });
    total.sent_bytes = sum_of_sent<std::uint64_t>(flows, [](const auto& flow) { return flow.sent->bytes; });
    FidelitySum fidelity;
    for (const auto& flow : flows) {
        if (flow.receiver_number == 1) {
            fidelity.add(flow.sent->fidelity);
        }
    }
    total.fidelity = fidelity.result();
    total.lateness_ns = spread_of(total.fidelity->lateness_ns);
}

void add_rates(const std::vector<FlowResult>& flows, TotalResult& total) {
    std::optional<Nanos> first;
    std::optional<Nanos> last;
    double bits = 0;
    double packets = 0;
    for (const auto& flow : flows) {
        const ReceivedFigures& received = *flow.received;
        if (received.first_arrival) {
            first = std::min(first.value_or(Nanos::max()), *received.first_arrival);
            last = std::max(last.value_or(Nanos::min()), *received.last_arrival);
            bits += static_cast<double>(received.bytes - received.bytes_missing) * 8;
            packets += static_cast<double>(received.packets - received.records_missing);
        }
    }
    if (first and *last > *first) {
        total.duration = *last - *first;
        total.throughput_bps = bits / to_seconds(*total.duration);
        total.packet_rate_pps = packets / to_seconds(*total.duration);
    }
}

void add_received(const std::vector<FlowResult>& flows, TotalResult& total) {
    total.received_packets = sum<std::uint64_t>(flows, [](const auto& flow) { return flow.received->packets; });
    total.received_bytes = sum<std::uint64_t>(flows, [](const auto& flow) { return flow.received->bytes; });
    total.unique = sum<std::uint64_t>(flows, [](const auto& flow) { return flow.received->unique; });
    total.duplicates = sum<std::uint64_t>(flows, [](const auto& flow) { return flow.received->duplicates; });
    total.copied = sum<std::uint64_t>(flows, [](const auto& flow) { return flow.received->copied; });
    total.reordering.emplace();
    total.ipdv_missed = 0;
    for (const auto& flow : flows) {
        total.reordering->merge(flow.received->reordering);
        total.ipdv_missed = flow.received->ipdv_missed and total.ipdv_missed
                                ? std::optional(*total.ipdv_missed + *flow.received->ipdv_missed)
                                : std::nullopt;
    }
    total.reordered = sum<std::uint64_t>(flows, [](const auto& flow) { return flow.received->reordered; });
    add_rates(flows, total);
    const auto differences =
        sum<double>(flows, [](const auto& flow) { return static_cast<double>(flow.received->jitter_count); });
    if (*differences > 0) {
        total.jitter_ditg_ns = *sum<double>(flows, [](const auto& flow) {
            return flow.received->jitter_ditg_ns * static_cast<double>(flow.received->jitter_count);
        }) / *differences;
    }
}

Loss add_losses(const std::vector<FlowResult>& flows) {
    Loss total{0, 0, {}};
    for (const auto& flow : flows) {
        if (not flow.loss.packets) {
            total.unknown_because = "of flow " + std::to_string(flow.spec.id.value) + ": " + flow.loss.unknown_because;
            total.packets.reset();
        }
        *total.at_least += flow.loss.packets.value_or(flow.loss.at_least.value_or(0));
        if (total.packets) {
            *total.packets += *flow.loss.packets;
        }
    }
    if (total.packets or *total.at_least == 0) {
        total.at_least.reset();
    }
    return total;
}

LossPatternFigures add_loss_patterns(const std::vector<FlowResult>& flows) {
    LossPatternFigures total{.counts = LossPatternCounts{}, .to_the_end = true, .unknown_because = {}};
    for (const auto& flow : flows) {
        if (not flow.loss_pattern.counts) {
            total.counts.reset();
            total.unknown_because =
                "of flow " + std::to_string(flow.spec.id.value) + ": " + flow.loss_pattern.unknown_because;
            break;
        }
        total.counts->merge(*flow.loss_pattern.counts);
        total.to_the_end = total.to_the_end and flow.loss_pattern.to_the_end;
    }
    return total;
}

/// Delays of several flows, each collected around a base of its own.
class DelaySum {
public:
    void add(const ReceivedAnalyzer& received, bool absolute) {
        const CentredHistogram::Around delays = received.delays().around();
        ipdv_.merge(received.ipdv());
        pdv_.add(delays.histogram, -delays.histogram.min());
        if (absolute and delays.histogram.count() > 0) {
            base_ = base_.value_or(delays.base);
            delays_.add(delays.histogram, delays.base - *base_);
        }
    }
    void result(TotalResult& total) const {
        total.delay_ns = delays_.result(Nanos{-base_.value_or(0)});
        total.pdv_ns = pdv_.result();
        total.ipdv_ns = spread_of(ipdv_);
    }

private:
    std::optional<std::int64_t> base_;  ///< the first flow's
    SpreadSum delays_;
    SpreadSum pdv_;
    LogHistogram ipdv_;
};

}  // namespace

TotalResult total_of(const FlowAnalyses& flows, const RunResult& run) {
    const Known known = known_of(run.flows);
    TotalResult total;
    total.flows = flows.size();
    total.loss = add_losses(run.flows);
    total.loss_pattern = add_loss_patterns(run.flows);
    if (known.sent) {
        add_sent(run.flows, total);
    }
    if (known.received) {
        add_received(run.flows, total);
    }
    DelaySum delays;
    TimeSeries series(run.interval);
    for (const auto& [id, flow] : flows) {
        series.merge(flow->series);
        if (known.received) {
            delays.add(*flow->received, known.delay);
        }
        for (const auto& further : flow->further) {
            series.merge_further_receiver(further->series);
            if (known.received) {
                delays.add(*further->received, known.delay);
            }
        }
    }
    delays.result(total);
    total.series =
        series.rows({known.sent, known.received, known.delay, known.lost_by_interval, known.returned, Nanos{0}});
    return total;
}

}  // namespace groma
