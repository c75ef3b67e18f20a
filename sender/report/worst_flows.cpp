#include "sender/report/worst_flows.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace groma {

namespace {

constexpr double kNearlyAll = 0.99;

double p99(const LogHistogram& histogram) {
    return static_cast<double>(histogram.percentile(kNearlyAll));
}

double share_lost(const FlowReport& flow) {
    const auto sent = static_cast<double>(flow.outcome.fidelity.packets);
    return sent > 0 ? static_cast<double>(flow.lost().known()) / sent : 0;
}

/// The flow's value of each figure.
std::array<double, 4> badness(const FlowReport& flow) {
    const Fidelity& f = flow.outcome.fidelity;
    return {f.rate_error().value_or(0), p99(f.lateness_ns), p99(f.gap_error_ns), share_lost(flow)};
}

}  // namespace

std::vector<std::size_t> worst_flows(const std::vector<FlowReport>& flows) {
    std::array<double, 4> worst{};
    std::array<std::size_t, 4> who{};
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const auto bad = badness(flows[i]);
        for (std::size_t figure = 0; figure < bad.size(); ++figure) {
            if (bad[figure] > worst[figure]) {
                worst[figure] = bad[figure];
                who[figure] = i;
            }
        }
    }
    std::set<std::size_t> places;
    for (std::size_t figure = 0; figure < worst.size(); ++figure) {
        if (worst[figure] > 0) {
            places.insert(who[figure]);
        }
    }
    return {places.begin(), places.end()};
}

std::vector<const FlowReport*> shown_flows(const std::vector<FlowReport>& flows, std::size_t most, std::size_t least) {
    const std::vector<std::size_t> worst = worst_flows(flows);
    std::set<std::size_t> places;
    if (flows.size() > most) {
        places = {worst.begin(), worst.end()};
    }
    const std::size_t wanted = flows.size() <= most ? flows.size() : least;
    for (std::size_t place = 0; places.size() < wanted; ++place) {
        places.insert(place);
    }
    std::vector<const FlowReport*> shown(places.size());
    std::ranges::transform(places, shown.begin(), [&flows](std::size_t place) { return &flows[place]; });
    return shown;
}

}  // namespace groma
