#include "sender/run/interval_rows.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace groma {

namespace {

/// By how much a counter grew, which it remembers. A peer's may fall: that is no growth.
std::uint64_t growth(std::uint64_t& before, std::uint64_t now) {
    const std::uint64_t grown = now > before ? now - before : 0;
    before = std::max(before, now);
    return grown;
}

void add_to(ArrivedSoFar& sum, const ArrivedSoFar& part) {
    sum.packets += part.packets;
    sum.bytes += part.bytes;
    sum.missing += part.missing;
}

/// The receivers' times, in their order.
std::vector<Nanos> times_of(const std::vector<ProgressReply>& told) {
    std::vector<Nanos> times;
    times.reserve(told.size());
    std::ranges::transform(told, std::back_inserter(times), &ProgressReply::elapsed);
    return times;
}

/// Of what is received by several at once, each over a time of its own.
class MeanTime {
public:
    void add(Nanos time) {
        sum_ += time;
        ++count_;
    }
    [[nodiscard]] std::optional<Nanos> value() const {
        return count_ == 0 ? std::nullopt : std::optional(sum_ / count_);
    }

private:
    Nanos sum_{0};
    Nanos::rep count_ = 0;
};

std::optional<ArrivedSoFar> arrived_of(const FlowReport& flow) {
    if (not flow.all_told()) {
        return std::nullopt;
    }
    ArrivedSoFar arrived;
    for (const auto& received : flow.told()) {
        add_to(arrived, {.packets = received->packets, .bytes = received->bytes});
    }
    return arrived;
}

}  // namespace

IntervalRows::IntervalRows(const std::vector<FlowSpec>& flows) {
    for (const FlowSpec& flow : flows) {
        const bool numbered = flow.header != HeaderLevel::none;
        const bool returns = flow.meter == Meter::round_trip;
        all_.numbered = all_.numbered and numbered;
        all_.returns = all_.returns or returns;
        if (flows.size() <= kMostFlowsInRows) {
            places_.emplace(flow.id, flows_.size());
            flows_.push_back({.id = flow.id, .name = flow.name, .numbered = numbered, .returns = returns});
        }
    }
}

void IntervalRows::begin(const std::vector<ProgressReply>& told) {
    receivers_at_ = times_of(told);
}

RowFigures IntervalRows::figures(FlowSoFarHere& flow, const Counts& now, Nanos from, Nanos to) {
    Counts& before = flow.before;
    RowFigures row{.from = from, .length = to - from};
    row.sent_packets = growth(before.sent_packets, now.sent_packets);
    row.sent_bytes = growth(before.sent_bytes, now.sent_bytes);
    const std::uint64_t returned = growth(before.returned, now.returned);
    row.returned_packets = flow.returns ? std::optional(returned) : std::nullopt;
    if (now.retransmitted) {
        std::uint64_t retransmitted = before.retransmitted.value_or(0);
        row.retransmitted = growth(retransmitted, *now.retransmitted);
        before.retransmitted = retransmitted;
    }
    row.rtt_transport = now.rtt;
    if (now.arrived) {
        ArrivedSoFar arrived = before.arrived.value_or(ArrivedSoFar{});
        row.received_packets = growth(arrived.packets, now.arrived->packets);
        row.received_bytes = growth(arrived.bytes, now.arrived->bytes);
        row.received_over = now.received_over;
        row.missing_packets = flow.numbered ? std::optional(now.arrived->missing) : std::nullopt;
        before.arrived = arrived;
    }
    return row;
}

void IntervalRows::add_sent(Counts& all, const Counts& flow) {
    all.sent_packets += flow.sent_packets;
    all.sent_bytes += flow.sent_bytes;
    all.returned += flow.returned;
    if (flow.retransmitted) {
        all.retransmitted = all.retransmitted.value_or(0) + *flow.retransmitted;
    }
}

IntervalRow IntervalRows::row(Nanos at, const Counts& all, const std::vector<Counts>& flows) {
    const Nanos from = std::exchange(at_, std::max(at, at_));
    IntervalRow row{.all = figures(all_, all, from, at_)};
    for (std::size_t i = 0; i < flows_.size(); ++i) {
        row.flows.push_back({flows_[i].id, flows_[i].name, figures(flows_[i], flows[i], from, at_)});
    }
    return row;
}

void IntervalRows::add_told(const std::vector<ProgressReply>& told, Counts& all, std::vector<Counts>& flows) {
    MeanTime of_all;
    std::vector<MeanTime> of_flows(flows.size());
    all.arrived.emplace();
    for (std::size_t i = 0; i < told.size(); ++i) {
        const Nanos since =
            i < receivers_at_.size() ? std::max(told[i].elapsed - receivers_at_[i], Nanos{0}) : Nanos{0};
        add_to(*all.arrived, told[i].all);
        of_all.add(since);
        for (const FlowSoFar& flow : told[i].flows) {
            if (const auto place = places_.find(flow.flow); place != places_.end()) {
                std::optional<ArrivedSoFar>& arrived = flows[place->second].arrived;
                add_to(arrived ? *arrived : arrived.emplace(), flow.arrived);
                of_flows[place->second].add(since);
            }
        }
    }
    if (not receivers_at_.empty()) {
        all.received_over = of_all.value();
        for (std::size_t i = 0; i < flows.size(); ++i) {
            flows[i].received_over = of_flows[i].value();
        }
    }
    receivers_at_ = times_of(told);
}

IntervalRow IntervalRows::next(Nanos at, const std::vector<FlowProgress>& sent,
                               const std::optional<std::vector<ProgressReply>>& told) {
    Counts all;
    std::vector<Counts> flows(flows_.size());
    for (const FlowProgress& flow : sent) {
        const Counts one{.sent_packets = flow.packets,
                         .sent_bytes = flow.bytes,
                         .returned = flow.returned,
                         .retransmitted = flow.retransmitted,
                         .rtt = flow.rtt};
        add_sent(all, one);
        if (const auto place = places_.find(flow.flow); place != places_.end()) {
            flows[place->second] = one;
        }
    }
    all.rtt = sent.size() == 1 ? sent.front().rtt : std::nullopt;
    if (told) {
        add_told(*told, all, flows);
    }
    return row(at, all, flows);
}

IntervalRow IntervalRows::last(Nanos at, const SendReport& report) {
    Counts all{.arrived = ArrivedSoFar{}};
    std::vector<Counts> flows(flows_.size());
    for (const FlowReport& flow : report.flows) {
        const Counts one{.sent_packets = flow.outcome.fidelity.packets,
                         .sent_bytes = flow.outcome.fidelity.bytes,
                         .arrived = arrived_of(flow),
                         .returned = flow.outcome.round_trip ? flow.outcome.round_trip->returned : 0,
                         .retransmitted = flow.outcome.counts.retransmitted};
        add_sent(all, one);
        if (one.arrived and all.arrived) {
            add_to(*all.arrived, *one.arrived);
        } else {
            all.arrived.reset();
        }
        if (const auto place = places_.find(flow.spec.id); place != places_.end()) {
            flows[place->second] = one;
        }
    }
    IntervalRow rest = row(at, all, flows);
    rest.last = true;
    rest.all.missing_packets.reset();
    rest.all.lost = total_lost(report.flows).number;
    for (const FlowReport& flow : report.flows) {
        if (const auto place = places_.find(flow.spec.id); place != places_.end()) {
            RowFigures& figures = rest.flows[place->second].figures;
            figures.missing_packets.reset();
            figures.lost = flow.lost().number;
        }
    }
    return rest;
}

}  // namespace groma
