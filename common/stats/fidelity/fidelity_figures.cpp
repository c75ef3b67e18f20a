#include "common/stats/fidelity/fidelity_figures.hpp"

#include "common/stats/histograms/spread_figures.hpp"

namespace groma {

namespace {

/// A figure of gaps, if there are any.
template <typename Value>
auto of_gaps(Value Fidelity::*figure) {
    return
        [figure](const Fidelity& it) { return it.gap_error_ns.count() > 0 ? std::optional(it.*figure) : std::nullopt; };
}

template <typename Value>
auto of_fit(Value DistributionFit::*figure) {
    return [figure](const Fidelity& it) { return it.fit ? std::optional(*it.fit.*figure) : std::nullopt; };
}

FigureTable<Fidelity> make_table() {
    using F = Fidelity;
    FigureTable<F> table;
    table
        .add("scheduled_pps",
             "packets per second of the schedule: gaps over the time from the first departure to the last",
             &F::scheduled_pps)
        .add("sent_pps", "the same as sent", &F::sent_pps)
        .add("scheduled_bps", "scheduled_pps times the mean payload, bits", &F::scheduled_bps)
        .add("sent_bps", "sent_pps times the mean payload, bits", &F::sent_bps)
        .add("rate_error", "|sent_pps / scheduled_pps - 1|", &F::rate_error);
    add_spread(table, "lateness", "ns", "lateness: actual less scheduled departure",
               [](const F& it) { return &it.lateness_ns; });
    table.add("late_packets", "packets that were late by more than a tenth of the gap before them", &F::late_packets)
        .add("packets_alone", "packets that had a send call of their own", &F::alone)
        .add("packets_in_batches", "packets that shared one", &F::batched)
        .add("behind_ns", "time during which a packet was due and had not left", &F::behind);
    add_spread(table, "batch_size", "", "the packets in a send call", [](const F& it) { return &it.batch_sizes; });
    add_spread(table, "gap_error", "ns", "the gap error: |gap as sent - gap as scheduled|",
               [](const F& it) { return &it.gap_error_ns; });
    table.add("gap_variation", "coefficient of variation of the gaps as sent", &F::gap_variation)
        .add("gaps_within_1us", "gaps whose error is at most 1 us", of_gaps(&F::gaps_within_1us))
        .add("gaps_within_10us", "gaps whose error is at most 10 us", of_gaps(&F::gaps_within_10us))
        .add("gaps_within_100us", "gaps whose error is at most 100 us", of_gaps(&F::gaps_within_100us))
        .add("fit_gaps", "gaps that were compared with the distribution asked for", of_fit(&DistributionFit::gaps))
        .add("fit_bins", "bins that lambda2 counts them in", of_fit(&DistributionFit::bins))
        .add("lambda2", "lambda squared: the size of the misfit", of_fit(&DistributionFit::lambda2))
        .add("lambda2_error", "its standard error", of_fit(&DistributionFit::lambda2_error))
        .add("ks", "Kolmogorov-Smirnov distance: its lower bound", of_fit(&DistributionFit::ks))
        .add("ks_within", "what the cells leave open of it: the upper bound is ks + ks_within",
             of_fit(&DistributionFit::ks_within))
        .add("a2", "Anderson-Darling A squared", of_fit(&DistributionFit::a2));
    return table;
}

}  // namespace

const FigureTable<Fidelity>& fidelity_figures() {
    static const FigureTable<Fidelity> kTable = make_table();
    return kTable;
}

}  // namespace groma
