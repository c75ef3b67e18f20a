#include "decoder/results/results.hpp"

#include <algorithm>
#include <cmath>

#include "common/base/counted.hpp"
#include "common/base/counts.hpp"

namespace groma {

namespace {

using Counters = std::vector<std::pair<std::string, std::uint64_t>>;

std::optional<std::uint64_t> find(const Counters& counters, std::string_view name) {
    const auto found = std::ranges::find(counters, name, &Counters::value_type::first);
    return found == counters.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? std::nullopt : std::optional(static_cast<double>(part) / static_cast<double>(whole));
}

}  // namespace

std::optional<std::uint64_t> SentFigures::counter(std::string_view name) const {
    return find(counters, name);
}

std::optional<std::uint64_t> ReceivedFigures::counter(std::string_view name) const {
    return find(counters, name);
}

std::optional<TimeSpan> departures_within(const std::optional<SentFigures>& sent) {
    const bool known = sent and sent->records_missing == 0 and
                       (sent->packets == 0 or not(sent->fidelity.sent.empty() or sent->recorded.empty()));
    return known ? std::optional(sent->recorded) : std::nullopt;
}

std::optional<TimeSpan> arrivals_within(const std::optional<ReceivedFigures>& received) {
    const bool known = received and received->records_missing == 0 and received->rates_unknown_because.empty();
    return known ? std::optional(received->arrivals) : std::nullopt;
}

std::uint64_t unsent_of(const std::vector<std::pair<std::string, std::uint64_t>>& counters) {
    std::uint64_t all = 0;
    for (const std::string_view name : {"dropped", "too_big", "given_up", "missed_in_queue"}) {
        add_count(all, find(counters, name).value_or(0));
    }
    return all;
}

std::uint64_t SentFigures::unsent() const {
    return unsent_of(counters);
}

std::optional<Nanos> ReceivedFigures::duration() const {
    const Nanos span = arrivals.duration();
    return rates_unknown_because.empty() and span > Nanos{0} ? std::optional(span) : std::nullopt;
}

std::optional<double> ReceivedFigures::packet_rate_pps() const {
    return duration() ? arrivals.rate(packets) : std::nullopt;
}

std::optional<double> ReceivedFigures::rate_of(std::optional<std::uint64_t> these_bytes) const {
    return these_bytes ? bit_rate(packet_rate_pps(), packets, *these_bytes) : std::nullopt;
}

std::optional<double> ReceivedFigures::delay_independent_packets() const {
    if (not delay_mean_error_ns or delay_ns.deviation == 0) {
        return std::nullopt;
    }
    const auto packets_there = static_cast<double>(delay_ns.count);
    const double errors = delay_ns.deviation / *delay_mean_error_ns;  // infinite: all batches have the same mean
    return std::min(errors * errors, packets_there);
}

std::optional<PercentileInterval> ReceivedFigures::delay_interval(double fraction) const {
    const auto independent = delay_independent_packets();
    if (not independent or delay_ns.values == nullptr) {
        return std::nullopt;
    }
    auto interval = percentile_interval(*delay_ns.values, fraction, *independent);
    if (interval) {
        interval->low += delay_ns.shift;
        interval->high += delay_ns.shift;
    }
    return interval;
}

std::optional<double> ReceivedFigures::delay_autocorrelation() const {
    constexpr std::uint64_t kLeastPairs = 64;
    if (ipdv_ns.count < std::max(kLeastPairs, delay_ns.count - delay_ns.count / 2) or delay_ns.deviation == 0) {
        return std::nullopt;
    }
    const auto pairs = static_cast<double>(ipdv_ns.count);
    const double mean_square =
        ipdv_ns.mean * ipdv_ns.mean + ipdv_ns.deviation * ipdv_ns.deviation * (pairs - 1) / pairs;
    // Packets in pairs may vary more than all of them do.
    return std::clamp(1 - mean_square / (2 * delay_ns.deviation * delay_ns.deviation), -1.0, 1.0);
}

std::optional<double> ReceivedFigures::copied_ratio() const {
    return share(copied, unique);
}

std::optional<double> ReceivedFigures::reordered_ratio() const {
    return share(reordered, reordered_among);
}

std::optional<std::int64_t> FlowFigures::delay_of_due(double fraction) const {
    if (not received or not loss.packets or received->undated > 0 or received->records_missing > 0 or
        received->delay_ns.values == nullptr) {
        return std::nullopt;
    }
    const Spread& delays = received->delay_ns;
    const auto arrived = static_cast<double>(delays.count);
    const double rank = std::max(std::ceil(fraction * (arrived + static_cast<double>(*loss.packets))), 1.0);
    return rank > arrived ? std::nullopt
                          : std::optional(delays.values->percentile((rank - 0.5) / arrived) + delays.shift);
}

std::optional<double> FlowFigures::lost_ratio() const {
    return loss.packets and due_packets ? share(*loss.packets, *due_packets) : std::nullopt;
}

std::string LogResult::describe_end() const {
    if (not totals) {
        return "log cut short: totals missing";
    }
    if (gaps.empty() and packets_missing == 0) {
        return totals->end;
    }
    const std::string missing = packets_missing > 0 ? counted(packets_missing, "record") : "no records";
    return (gaps.empty() ? "" : "damaged: ") + missing + " missing" +
           (totals->end == "complete" ? "" : "; " + totals->end);
}

std::optional<double> LogResult::cpu_ns_per_packet() const {
    std::uint64_t packets = 0;
    for (const FlowTotals& flow : totals ? totals->flows : std::vector<FlowTotals>{}) {
        packets += flow.packets;
    }
    if (not cpu or packets == 0) {
        return std::nullopt;
    }
    return static_cast<double>((cpu->user + cpu->system).count()) / static_cast<double>(packets);
}

std::vector<NamedTotal> named_totals(const RunResult& run) {
    std::vector<NamedTotal> totals;
    totals.reserve(run.groups.size() + 1);
    for (const GroupResult& group : run.groups) {
        totals.push_back({group.name, &group.total});
    }
    if (run.flows.size() > 1) {
        totals.push_back({"total", &run.total});
    }
    return totals;
}

}  // namespace groma
