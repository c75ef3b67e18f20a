#include "sender/calibration/point_result.hpp"

#include <array>

#include "common/base/errors.hpp"
#include "common/stats/fidelity/fidelity.hpp"

namespace groma {

namespace {

using F = PointFigures;

constexpr std::array kColumns{
    FigureColumn{"elapsed_s", &F::elapsed_s, false},
    FigureColumn{"asked_pps", &F::asked_pps, false},
    FigureColumn{"sent_pps", &F::sent_pps, false},
    FigureColumn{"asked_bps", &F::asked_bps, false},
    FigureColumn{"sent_bps", &F::sent_bps, false},
    FigureColumn{"rate_error", &F::rate_error, false},
    FigureColumn{"packets", &F::packets, true},
    FigureColumn{"bytes", &F::bytes, true},
    FigureColumn{"received", &F::received, true},
    FigureColumn{"lost", &F::lost, true},
    FigureColumn{"duplicates", &F::duplicates, true},
    FigureColumn{"reordered", &F::reordered, true},
    FigureColumn{"kernel_drops", &F::kernel_drops, true},
    FigureColumn{"dropped", &F::dropped, true},
    FigureColumn{"blocked", &F::blocked, true},
    FigureColumn{"unsent", &F::unsent, true},
    FigureColumn{"missed_slots", &F::missed_slots, true},
    FigureColumn{"cut_short", &F::cut_short, true},
    FigureColumn{"lateness_p50_ns", &F::lateness_p50_ns, true},
    FigureColumn{"lateness_p90_ns", &F::lateness_p90_ns, true},
    FigureColumn{"lateness_p99_ns", &F::lateness_p99_ns, true},
    FigureColumn{"lateness_p999_ns", &F::lateness_p999_ns, true},
    FigureColumn{"lateness_max_ns", &F::lateness_max_ns, true},
    FigureColumn{"late_packets", &F::late_packets, true},
    FigureColumn{"gap_error_mean_ns", &F::gap_error_mean_ns, false},
    FigureColumn{"gap_error_p50_ns", &F::gap_error_p50_ns, true},
    FigureColumn{"gap_error_p90_ns", &F::gap_error_p90_ns, true},
    FigureColumn{"gap_error_p99_ns", &F::gap_error_p99_ns, true},
    FigureColumn{"gap_error_p999_ns", &F::gap_error_p999_ns, true},
    FigureColumn{"gap_error_max_ns", &F::gap_error_max_ns, true},
    FigureColumn{"gap_variation", &F::gap_variation, false},
    FigureColumn{"gaps_within_1us", &F::gaps_within_1us, true},
    FigureColumn{"gaps_within_10us", &F::gaps_within_10us, true},
    FigureColumn{"gaps_within_100us", &F::gaps_within_100us, true},
    FigureColumn{"alone", &F::alone, true},
    FigureColumn{"batched", &F::batched, true},
    FigureColumn{"largest_batch", &F::largest_batch, true},
    FigureColumn{"behind_s", &F::behind_s, false},
    FigureColumn{"fit_gaps", &F::fit_gaps, true},
    FigureColumn{"fit_bins", &F::fit_bins, true},
    FigureColumn{"lambda2", &F::lambda2, false},
    FigureColumn{"lambda2_error", &F::lambda2_error, false},
    FigureColumn{"ks", &F::ks, false},
    FigureColumn{"ks_within", &F::ks_within, false},
    FigureColumn{"a2", &F::a2, false},
    FigureColumn{"cpu_user_s", &F::cpu_user_s, false},
    FigureColumn{"cpu_system_s", &F::cpu_system_s, false},
    FigureColumn{"switches_voluntary", &F::switches_voluntary, true},
    FigureColumn{"switches_involuntary", &F::switches_involuntary, true},
    FigureColumn{"receiver_user_s", &F::receiver_user_s, false},
    FigureColumn{"receiver_system_s", &F::receiver_system_s, false},
    FigureColumn{"records", &F::records, true},
    FigureColumn{"records_lost", &F::records_lost, true},
    FigureColumn{"log_bytes", &F::log_bytes, true},
    FigureColumn{"receiver_records_lost", &F::receiver_records_lost, true},
};

double number(std::uint64_t count) {
    return static_cast<double>(count);
}

void put_lateness(PointFigures& figures, const Fidelity& fidelity) {
    const LogHistogram& lateness = fidelity.lateness_ns;
    if (lateness.count() == 0) {
        return;
    }
    figures.lateness_p50_ns = static_cast<double>(lateness.percentile(0.5));
    figures.lateness_p90_ns = static_cast<double>(lateness.percentile(0.9));
    figures.lateness_p99_ns = static_cast<double>(lateness.percentile(0.99));
    figures.lateness_p999_ns = static_cast<double>(lateness.percentile(0.999));
    figures.lateness_max_ns = static_cast<double>(lateness.max());
    figures.late_packets = number(fidelity.late_packets);
}

void put_gap_errors(PointFigures& figures, const Fidelity& fidelity) {
    const LogHistogram& error = fidelity.gap_error_ns;
    if (error.count() == 0) {
        return;
    }
    figures.gap_error_mean_ns = error.mean();
    figures.gap_error_p50_ns = static_cast<double>(error.percentile(0.5));
    figures.gap_error_p90_ns = static_cast<double>(error.percentile(0.9));
    figures.gap_error_p99_ns = static_cast<double>(error.percentile(0.99));
    figures.gap_error_p999_ns = static_cast<double>(error.percentile(0.999));
    figures.gap_error_max_ns = static_cast<double>(error.max());
    figures.gap_variation = fidelity.gap_variation;
    figures.gaps_within_1us = number(fidelity.gaps_within_1us);
    figures.gaps_within_10us = number(fidelity.gaps_within_10us);
    figures.gaps_within_100us = number(fidelity.gaps_within_100us);
}

void put_fit(PointFigures& figures, const DistributionFit& fit) {
    figures.fit_gaps = number(fit.gaps);
    figures.fit_bins = fit.bins;
    figures.lambda2 = fit.lambda2;
    figures.lambda2_error = fit.lambda2_error;
    figures.ks = fit.ks;
    figures.ks_within = fit.ks_within;
    figures.a2 = fit.a2;
}

void put_sent(PointFigures& figures, const FlowOutcome& outcome) {
    const Fidelity& fidelity = outcome.fidelity;
    if (fidelity.scheduled_pps > 0) {
        figures.asked_pps = fidelity.scheduled_pps;
        figures.sent_pps = fidelity.sent_pps;
        figures.asked_bps = fidelity.scheduled_bps;
        figures.sent_bps = fidelity.sent_bps;
        figures.rate_error = fidelity.rate_error();
    }
    figures.packets = number(fidelity.packets);
    figures.bytes = number(fidelity.bytes);
    figures.dropped = number(outcome.counts.dropped);
    figures.blocked = number(outcome.counts.blocked);
    figures.unsent = number(outcome.counts.unsent());
    figures.missed_slots = number(outcome.counts.missed_slots);
    figures.cut_short = outcome.counts.cut_short ? 1 : 0;
    figures.alone = number(fidelity.alone);
    figures.batched = number(fidelity.batched);
    figures.largest_batch = fidelity.largest_batch;
    figures.behind_s = to_seconds(fidelity.behind);
    put_lateness(figures, fidelity);
    put_gap_errors(figures, fidelity);
    if (fidelity.fit) {
        put_fit(figures, *fidelity.fit);
    }
}

void put_usage(PointFigures& figures, const SendReport& report) {
    if (report.usage) {
        figures.cpu_user_s = to_seconds(report.usage->user);
        figures.cpu_system_s = to_seconds(report.usage->system);
        figures.switches_voluntary = number(report.usage->voluntary_switches);
        figures.switches_involuntary = number(report.usage->involuntary_switches);
    }
    if (not report.receivers.empty() and report.receivers.front().usage) {
        figures.receiver_user_s = to_seconds(report.receivers.front().usage->user);
        figures.receiver_system_s = to_seconds(report.receivers.front().usage->system);
    }
}

void put_received(PointFigures& figures, const FlowReport& flow) {
    if (not flow.received) {
        return;
    }
    figures.received = number(flow.received->packets);
    figures.lost = number(flow.lost());
    figures.duplicates = number(flow.received->duplicates);
    figures.reordered = number(flow.received->reordered);
    figures.kernel_drops = number(flow.received->kernel_drops);
    figures.receiver_records_lost = number(flow.received->records_lost);
}

}  // namespace

std::span<const FigureColumn> figure_columns() {
    return kColumns;
}

PointFigures figures_of(const SendReport& report) {
    check(report.flows.size() == 1, "a point is one flow");
    PointFigures figures;
    figures.elapsed_s = to_seconds(report.elapsed);
    put_sent(figures, report.flows.front().outcome);
    put_received(figures, report.flows.front());
    put_usage(figures, report);
    if (report.log) {
        figures.records = number(report.log->records);
        figures.log_bytes = number(report.log->bytes);
        figures.records_lost = number(report.flows.front().outcome.counts.records_lost);
    }
    return figures;
}

bool rate_kept(const PointFigures& figures, double tolerance) {
    return figures.rate_error and *figures.rate_error <= tolerance and all_sent(figures);
}

bool all_sent(const PointFigures& figures) {
    return figures.cut_short.value_or(0) == 0 and figures.unsent.value_or(0) == 0 and
           figures.missed_slots.value_or(0) == 0;
}

double sent_over_asked(const PointFigures& figures) {
    if (figures.asked_pps and figures.sent_pps and *figures.asked_pps > 0) {
        return *figures.sent_pps / *figures.asked_pps;
    }
    return all_sent(figures) ? 1 : 0;
}

}  // namespace groma
