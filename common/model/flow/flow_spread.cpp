#include "common/model/flow/flow_spread.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "common/model/distributions/reference.hpp"

namespace groma {

double expected_rate(const FlowSpec& spec) {
    constexpr double kUnknown = 1000;
    if (is_greedy(spec.idt)) {
        return kRateOfWorker;
    }
    const double gap_ns = mean(spec.idt).value_or(0);
    return gap_ns > 0 ? 1e9 / gap_ns : kUnknown;
}

std::size_t default_workers(std::span<const double> rates, std::size_t cores) {
    const double rate = std::accumulate(rates.begin(), rates.end(), 0.0);
    const auto for_flows = static_cast<double>(rates.size()) / static_cast<double>(kFlowsOfWorker);
    const double wanted = std::ceil(std::max(rate / kRateOfWorker, for_flows));
    const std::size_t most = std::max<std::size_t>(std::min(cores - std::min<std::size_t>(cores, 1), rates.size()), 1);
    return wanted >= static_cast<double>(most) ? most : std::max<std::size_t>(static_cast<std::size_t>(wanted), 1);
}

std::vector<std::vector<std::uint32_t>> spread_flows(std::span<const double> rates, std::size_t workers) {
    return spread_flows(rates, std::vector<double>(std::min(std::max<std::size_t>(workers, 1), rates.size())));
}

std::vector<std::vector<std::uint32_t>> spread_flows(std::span<const double> rates, std::vector<double> load) {
    std::vector<std::uint32_t> fastest_first(rates.size());
    std::iota(fastest_first.begin(), fastest_first.end(), 0U);
    std::stable_sort(fastest_first.begin(), fastest_first.end(),
                     [&rates](std::uint32_t a, std::uint32_t b) { return rates[a] > rates[b]; });

    std::vector<std::vector<std::uint32_t>> shares(load.size());
    for (const std::uint32_t place : fastest_first) {
        const auto least = static_cast<std::size_t>(std::min_element(load.begin(), load.end()) - load.begin());
        load[least] += rates[place];
        shares[least].push_back(place);
    }
    for (std::vector<std::uint32_t>& share : shares) {
        std::sort(share.begin(), share.end());
    }
    return shares;
}

}  // namespace groma
