#include "decoder/analysis/total.hpp"

#include <algorithm>
#include <cmath>

#include "common/base/counts.hpp"
#include "common/stats/fidelity/fidelity_sum.hpp"
#include "common/stats/fidelity/missing_fit.hpp"
#include "decoder/analysis/flow_notes.hpp"
#include "decoder/analysis/losses.hpp"

namespace groma {

namespace {

/// Which figures are known of all flows.
struct Known {
    bool sent = true;
    bool received = true;
    bool arrived = true;  ///< when packets did
    bool delay = true;
    bool lost_by_interval = true;
    bool returned = true;
};

/// Beside other flows, whose arrivals cannot be put in order with its own.
bool has_clock_of_its_own(const Member& member, const Members& flows) {
    return flows.size() > 1 and not member.result->sent and member.result->clock.kind == ClockState::Kind::interface;
}

Known known_of(const Members& flows) {
    Known known;
    for (const Member& member : flows) {
        const FlowResult& flow = *member.result;
        known.sent = known.sent and flow.sent;
        known.received = known.received and flow.received;
        known.arrived = known.arrived and flow.received and flow.received->times_unknown_because.empty() and
                        not has_clock_of_its_own(member, flows);
        known.delay = known.delay and flow.received and flow.received->delay_ns.known and flow.clock.absolute();
        known.returned = known.returned and (flow.round_trip or not member.first_of_flow);
        known.lost_by_interval = known.lost_by_interval and loss_by_interval_is_known(flow);
    }
    return known;
}

template <typename Figure, typename Of>
Figure sum(const Members& flows, Of of) {
    Figure sum{};
    for (const Member& member : flows) {
        sum += of(*member.result);
    }
    return sum;
}

/// Of the flows that have this side, one spread each.
template <typename Of>
Spread spread_of_all(const Members& flows, bool once_a_flow, Of of) {
    std::vector<const Spread*> parts;
    for (const Member& member : flows) {
        if (member.first_of_flow or not once_a_flow) {
            parts.push_back(&of(*member.result));
        }
    }
    return spread_together(parts);
}

std::string of_flow(const Member& member, const std::string& why) {
    return "of flow " + std::to_string(member.result->spec.id.value) + ": " + why;
}

SentFigures sent_together(const Members& flows) {
    SentFigures total;
    total.whole = true;
    FidelitySum fidelity;
    MissingFits missing;
    for (const Member& member : flows) {
        if (member.first_of_flow) {
            const SentFigures& sent = *member.result->sent;
            add_count(total.packets, sent.packets);
            add_count(total.bytes, sent.bytes);
            total.whole = total.whole and sent.whole;
            total.selected = total.selected or sent.selected;
            add_count(total.records_missing, sent.records_missing);
            fidelity.add(sent.fidelity);
            total.recorded.include(sent.recorded);
            missing.add(member.result->spec.name, sent.fidelity, sent.no_fit_because);
        }
    }
    total.fidelity = fidelity.result();
    total.no_fit_because = total.fidelity.fit ? std::string() : missing.why();
    if (const Nanos duration = total.fidelity.sent.duration(); duration > Nanos{0}) {
        total.duration = duration;
    }
    total.gaps_ns = spread_of_all(flows, true, [](const FlowResult& it) -> const Spread& { return it.sent->gaps_ns; });
    total.sizes = spread_of_all(flows, true, [](const FlowResult& it) -> const Spread& { return it.sent->sizes; });
    total.lateness_ns = spread_of(total.fidelity.lateness_ns);
    return total;
}

void add_rates(const Members& flows, ReceivedFigures& total) {
    total.ip_bytes = total.ethernet_bytes = 0;
    for (const Member& member : flows) {
        const ReceivedFigures& received = *member.result->received;
        total.arrivals.include(received.arrivals);
        const std::string why = has_clock_of_its_own(member, flows) ? "its arrivals have the clock of an interface"
                                                                    : received.rates_unknown_because;
        if (not why.empty() and total.rates_unknown_because.empty()) {
            total.rates_unknown_because = of_flow(member, why);
        }
        if (received.packets > 0 and not received.ip_bytes and total.ip_bytes) {
            total.ip_bytes = total.ethernet_bytes = std::nullopt;
            total.headers_unknown_because = of_flow(member, received.headers_unknown_because);
        }
        if (received.ip_bytes and total.ip_bytes) {
            *total.ip_bytes += *received.ip_bytes;
            *total.ethernet_bytes += *received.ethernet_bytes;
        }
    }
}

void add_counts(ReceivedFigures& total, const ReceivedFigures& received) {
    add_count(total.packets, received.packets);
    add_count(total.bytes, received.bytes);
    total.whole = total.whole and received.whole;
    total.selected = total.selected or received.selected;
    total.selected_by_size = total.selected_by_size or received.selected_by_size;
    add_count(total.unplaced, received.unplaced);
    add_count(total.records_missing, received.records_missing);
    add_count(total.unique, received.unique);
    total.unique_bytes = total.unique_bytes and received.unique_bytes
                             ? std::optional(*total.unique_bytes + *received.unique_bytes)
                             : std::nullopt;
    add_count(total.duplicates, received.duplicates);
    total.copies_counted = total.copies_counted and received.copies_counted;
    add_count(total.copied, received.copied);
    add_count(total.reordered, received.reordered);
    add_count(total.reordered_among, received.reordered_among);
    total.reordering.merge(received.reordering);
    total.density.merge(received.density);
    add_count(total.beyond_window, received.beyond_window);
    add_count(total.unnumbered, received.unnumbered);
    add_count(total.undated, received.undated);
    total.jitter_count += received.jitter_count;
    total.ipdv_missed = received.ipdv_missed and total.ipdv_missed
                            ? std::optional(*total.ipdv_missed + *received.ipdv_missed)
                            : std::nullopt;
}

/// Of the delays of all packets, flows being independent of each other; empty if one of them has no error.
std::optional<double> error_of_mean(const Members& flows) {
    double squares = 0;
    double packets = 0;
    for (const Member& member : flows) {
        const ReceivedFigures& received = *member.result->received;
        const auto count = static_cast<double>(received.delay_ns.count);
        if (count > 0 and (not received.delay_mean_error_ns or not member.result->clock.absolute())) {
            return std::nullopt;
        }
        packets += count;
        const double error = count * received.delay_mean_error_ns.value_or(0);
        squares += error * error;
    }
    return packets > 0 ? std::optional(std::sqrt(squares) / packets) : std::nullopt;
}

ReceivedFigures received_together(const Members& flows, const Known& known) {
    ReceivedFigures total;
    total.whole = true;
    total.ipdv_missed = 0;
    total.unique_bytes = 0;
    for (const Member& member : flows) {
        add_counts(total, *member.result->received);
    }
    add_rates(flows, total);
    total.sizes = spread_of_all(flows, false, [](const FlowResult& it) -> const Spread& { return it.received->sizes; });
    total.gaps_ns =
        spread_of_all(flows, false, [](const FlowResult& it) -> const Spread& { return it.received->gaps_ns; });
    if (not known.arrived) {
        total.ipdv_missed = std::nullopt;
        total.jitter_count = 0;
        return total;
    }
    total.delay_mean_error_ns = known.delay ? error_of_mean(flows) : std::nullopt;
    if (total.jitter_count > 0) {
        const double differences = sum<double>(flows, [](const FlowResult& flow) {
            return flow.received->jitter_ditg_ns.value_or(0) * static_cast<double>(flow.received->jitter_count);
        });
        total.jitter_ditg_ns = differences / static_cast<double>(total.jitter_count);
    }
    return total;
}

class DelaySum {
public:
    void add(const ReceivedAnalyzer& received, bool absolute) {
        const CentredHistogram::Around delays = received.delays().around();
        ipdv_.merge(received.ipdv());
        pdv_.add(delays.histogram, -delays.histogram.min());
        if (absolute) {
            delays_.add(received.delays());
            scheduled_.add(received.scheduled_delays());
        }
    }
    void result(ReceivedFigures& total) const {
        total.delay_ns = delays_.result();
        total.scheduled_delay_ns = scheduled_.result();
        total.pdv_ns = pdv_.result();
        total.ipdv_ns = spread_of(ipdv_);
    }

private:
    CentredSum delays_;
    CentredSum scheduled_;
    SpreadSum pdv_;
    LogHistogram ipdv_;
};

ClockState common_clock(const Members& flows) {
    ClockState clock;
    bool first = true;
    for (const Member& member : flows) {
        const FlowResult& flow = *member.result;
        if (not flow.received) {
            continue;
        }
        const Nanos bound = std::max(clock.bound, flow.clock.bound);
        clock.bound = flow.clock.bound;
        if (not first and flow.clock != clock) {
            return {.kind = ClockState::Kind::several};
        }
        clock = flow.clock;
        clock.bound = bound;  // the flow's that is worst off
        first = false;
    }
    return clock;
}

void add_distributions(const Members& flows, const Known& known, const std::shared_ptr<SeriesInterval>& interval,
                       std::int64_t most_empty, TotalResult& total) {
    DelaySum delays;
    const auto series = std::make_shared<TimeSeries>(interval);
    for (const Member& member : flows) {
        if (member.first_of_flow) {
            series->merge(member.analysis->series);
        } else {
            series->merge_further_receiver(member.analysis->series);
        }
        if (known.arrived) {
            delays.add(*member.analysis->received, known.delay);
        }
    }
    if (total.received) {
        delays.result(*total.received);
        ReceivedFigures& received = *total.received;
        const auto all_know = [&flows](Spread ReceivedFigures::*figure) {
            return std::ranges::all_of(flows,
                                       [&](const Member& it) { return (it.result->received.value().*figure).known; });
        };
        if (not known.arrived or not all_know(&ReceivedFigures::pdv_ns)) {
            received.pdv_ns = unknown_spread();
        }
        if (not known.arrived or received.selected_by_size or not all_know(&ReceivedFigures::ipdv_ns)) {
            received.ipdv_ns = unknown_spread();
        }
        if (not known.delay or not known.arrived) {
            received.delay_ns = unknown_spread();
        }
        if (not known.delay or not all_know(&ReceivedFigures::scheduled_delay_ns)) {
            received.scheduled_delay_ns = unknown_spread();
        }
    }
    total.series = KnownSeries(
        series, {.sent = known.sent,
                 .received = known.arrived,
                 .delay = known.delay,
                 .lost = known.lost_by_interval,
                 .returned = known.returned,
                 .departures = departures_within(total.sent),
                 .arrivals = arrivals_within(total.received),
                 .from = flows.empty() ? Nanos{0} : flows.front().analysis->selection.from.value_or(Nanos{0}),
                 .most_empty = most_empty});
}

}  // namespace

TotalResult total_of(const Members& flows, const std::shared_ptr<SeriesInterval>& interval, std::int64_t most_empty) {
    const Known known = known_of(flows);
    TotalResult total;
    total.flows = static_cast<std::size_t>(std::ranges::count(flows, true, &Member::first_of_flow));
    total.clock = common_clock(flows);
    total.loss = losses_together(flows);
    total.loss_pattern = loss_patterns_together(flows);
    if (known.sent) {
        total.sent = sent_together(flows);
        total.due_packets = 0;
        for (const Member& member : flows) {
            add_count(*total.due_packets, member.result->sent->packets);
        }
    }
    if (known.received) {
        total.received = received_together(flows, known);
    }
    add_distributions(flows, known, interval, most_empty, total);
    return total;
}

}  // namespace groma
