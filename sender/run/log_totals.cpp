#include "sender/run/log_totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "common/base/counted.hpp"

namespace groma {

namespace {

/// A block of JSON has room for this number of flows with figures.
constexpr std::size_t kMostFlowsWithFigures = 10'000;

std::string end_of(const SendReport& report) {
    if (report.interrupted) {
        return "interrupted";
    }
    for (const ReceiverReport& receiver : report.receivers) {
        if (not receiver.lost.empty()) {
            return "peer lost: " + receiver.lost;
        }
    }
    return "complete";
}

/// `began`: the run, on this host's clock.
FlowTotals totals_of(const FlowReport& flow, WallTime began) {
    const FlowOutcome& outcome = flow.outcome;
    FlowTotals totals;
    if (outcome.fidelity.packets > 0 and outcome.counts.records_lost == 0) {
        totals.first = moved(began, outcome.fidelity.sent.first);
        totals.last = moved(began, outcome.fidelity.sent.last);
    }
    if (outcome.counts.records_lost == 0 and not outcome.fidelity.scheduled.empty()) {
        totals.first_due = moved(began, outcome.fidelity.scheduled.first);
        totals.last_due = moved(began, outcome.fidelity.scheduled.last);
    }
    totals.flow = flow.spec.id;
    totals.packets = outcome.fidelity.packets;
    totals.bytes = outcome.fidelity.bytes;
    totals.records_lost = outcome.counts.records_lost;
    totals.records = totals.packets - std::min(totals.packets, totals.records_lost);
    totals.counters = {{"dropped", outcome.counts.dropped},
                       {"too_big", outcome.counts.too_big},
                       {"refused", outcome.counts.refused},
                       {"given_up", outcome.counts.given_up},
                       {"blocked", outcome.counts.blocked},
                       {"missed_slots", outcome.counts.missed_slots},
                       {"unsent_between", outcome.counts.unsent_between},
                       {"ended_early", outcome.counts.ran_to_its_end() ? 0U : 1U},
                       {"held_by_kernel", outcome.counts.held_by_kernel},
                       {"missed_in_queue", outcome.counts.missed_in_queue},
                       {"unstamped", outcome.counts.unstamped},
                       {"unnumbered", outcome.counts.unnumbered},
                       {"gaps_raised", outcome.draws.gaps_raised},
                       {"gaps_redrawn", outcome.draws.gaps_redrawn},
                       {"sizes_raised", outcome.draws.sizes_raised},
                       {"sizes_lowered", outcome.draws.sizes_lowered}};
    if (outcome.round_trip) {
        const RoundTrip& back = *outcome.round_trip;
        const std::pair<const char*, std::uint64_t> more[] = {{"returned", back.returned},
                                                              {"returned_duplicates", back.duplicates},
                                                              {"returned_kernel_drops", back.kernel_drops},
                                                              {"returned_foreign_packets", back.foreign},
                                                              {"returned_malformed_packets", back.malformed},
                                                              {"returned_forged_packets", back.forged},
                                                              {"returned_records_lost", back.records_lost}};
        totals.counters.insert(totals.counters.end(), std::begin(more), std::end(more));
    }
    return totals;
}

/// Those that are known. The log has the records behind them. They serve readers that read only its end.
std::vector<std::pair<std::string, double>> figures_of(const Fidelity& fidelity) {
    std::vector<std::pair<std::string, double>> figures;
    const auto add = [&figures](std::string name, std::optional<double> value) {
        if (value) {
            figures.emplace_back(std::move(name), *value);
        }
    };
    const auto add_percentiles = [&add](const std::string& name, const LogHistogram& times) {
        for (const auto& [which, fraction] : {std::pair("p50", 0.5), std::pair("p99", 0.99), std::pair("max", 1.0)}) {
            add(name + "_" + which + "_ns",
                times.count() > 0 ? std::optional(static_cast<double>(times.percentile(fraction))) : std::nullopt);
        }
    };
    add("scheduled_pps", fidelity.scheduled_pps());
    add("sent_pps", fidelity.sent_pps());
    add_percentiles("lateness", fidelity.lateness_ns);
    add_percentiles("gap_error", fidelity.gap_error_ns);
    add("behind_s", fidelity.packets > 0 ? std::optional(to_seconds(fidelity.behind)) : std::nullopt);
    if (fidelity.fit) {
        figures.insert(figures.end(), {{"lambda2", fidelity.fit->lambda2},
                                       {"lambda2_error", fidelity.fit->lambda2_error},
                                       {"ks", fidelity.fit->ks},
                                       {"a2", fidelity.fit->a2}});
    }
    return figures;
}

}  // namespace

LogTotals log_totals(const SendReport& report, WallTime ended_at) {
    LogTotals totals{.ended_at = ended_at, .end = end_of(report), .flows = {}};
    for (const FlowReport& flow : report.flows) {
        totals.flows.push_back(totals_of(flow, report.started_at));
        if (report.flows.size() <= kMostFlowsWithFigures) {
            totals.flows.back().figures = figures_of(flow.outcome.fidelity);
        }
    }
    return totals;
}

std::vector<LogEvent> events_of_flows(const SendReport& report, WallTime at) {
    std::vector<LogEvent> events;
    for (const FlowReport& flow : report.flows) {
        const FlowOutcome& outcome = flow.outcome;
        if (outcome.counts.end == FlowEnd::failed) {
            events.push_back({at, outcome.flow, "flow-failed", outcome.error});
        }
        for (const std::string& warning : flow.warnings) {
            events.push_back({at, outcome.flow, "option-not-kept", warning});
        }
        if (outcome.counts.cut_short) {
            events.push_back({at, outcome.flow, "cut-short", "what was due could not be sent within 1 s of the end"});
        }
        if (const std::uint64_t unsent = outcome.counts.unsent(); unsent > 0) {
            events.push_back({at, outcome.flow, "send-errors", counted(unsent, "packet") + " could not be sent"});
        }
        if (outcome.counts.missed_slots > 0) {
            events.push_back(
                {at, outcome.flow, "missed-slots",
                 fmt::format("{} {} missed and not sent", counted(outcome.counts.missed_slots, "departure"),
                             by_count(outcome.counts.missed_slots, "was", "were"))});
        }
        if (outcome.counts.records_lost > 0) {
            events.push_back(
                {at, outcome.flow, "records-lost",
                 fmt::format("{} {} sent without a record here", counted(outcome.counts.records_lost, "packet"),
                             by_count(outcome.counts.records_lost, "was", "were"))});
        }
        if (outcome.round_trip and outcome.round_trip->records_lost > 0) {
            events.push_back(
                {at, outcome.flow, "records-lost",
                 counted(outcome.round_trip->records_lost, "packet") + " came back without a record here"});
        }
    }
    return events;
}

}  // namespace groma
