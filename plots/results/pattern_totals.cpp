#include "plots/results/pattern_totals.hpp"

#include <map>

#include "plots/results/distributions.hpp"

namespace groma {

FlowResults patterns_together(const std::vector<const FlowResults*>& flows) {
    FlowResults all;
    std::map<double, double> n_reordered;
    for (const FlowResults* flow : flows) {
        all.arrived += flow->arrived;
        if (flow->losses) {
            all.losses = all.losses.value_or(LossTransitions()) + *flow->losses;
        }
        for (const NReordered& one : flow->n_reordered) {
            n_reordered[one.n] += one.packets;
        }
    }
    for (const auto& [n, packets] : n_reordered) {
        all.n_reordered.push_back({n, packets});
    }
    for (const char* kind : {"loss_period", "loss_distance", "reordering_extent"}) {
        std::vector<const std::vector<HistogramBin>*> some;
        for (const FlowResults* flow : flows) {
            if (const auto found = flow->histograms.find(kind); found != flow->histograms.end()) {
                some.push_back(&found->second);
            }
        }
        if (not some.empty()) {
            all.histograms[kind] = merged(some);
        }
    }
    return all;
}

}  // namespace groma
