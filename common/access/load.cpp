#include "common/access/load.hpp"

#include <algorithm>
#include <limits>

#include "common/model/distributions/reference.hpp"
#include "common/model/flow/sharing.hpp"

namespace groma {

namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr double kLongestGap = 1e9;

double capped(double gap_ns) {
    return std::clamp(gap_ns, 0.0, kLongestGap);
}

/// The mean of gaps of which none counts for more than a second.
struct CappedMean {
    double operator()(const Mixture& mixture) const {
        double sum = 0;
        double weights = 0;
        for (std::size_t i = 0; i < mixture.components.size(); ++i) {
            sum += mixture.weights[i] * std::visit(*this, mixture.components[i]);
            weights += mixture.weights[i];
        }
        return sum / weights;
    }
    double operator()(const Discrete& discrete) const {
        double sum = 0;
        double weights = 0;
        for (std::size_t i = 0; i < discrete.values.size(); ++i) {
            sum += discrete.weights[i] * capped(discrete.values[i]);
            weights += discrete.weights[i];
        }
        return sum / weights;
    }
    double operator()(const FromFile& file) const {
        double sum = 0;
        for (const double value : file.values) {
            sum += capped(value);
        }
        return sum / static_cast<double>(file.values.size());
    }
    double operator()(const Greedy& /*none*/) const { return 0; }
    /// By the middles of equal shares.
    template <typename Family>
    double operator()(const Family& family) const {
        constexpr int kShares = 200;
        double sum = 0;
        for (int i = 0; i < kShares; ++i) {
            sum += capped(family.quantile(Tail::lower, (i + 0.5) / kShares));
        }
        return sum / kShares;
    }
};

/// Rare long gaps could hide bursts, and do not count. Where that makes no difference, the mean. 0: there is none.
double mean_gap_ns(const Distribution& gaps) {
    constexpr double kNoDifference = 0.95;
    const double known = std::visit(CappedMean(), gaps);
    const double mean = mean_from_0(gaps).value_or(kUnlimited);
    return known >= kNoDifference * std::min(mean, kLongestGap) ? std::max(mean, known) : known;
}

/// Draws below the smallest size are raised to it.
double mean_size(const FlowSpec& flow, const Distribution& sizes) {
    const SizeLimits limits = size_limits(flow);
    const double raised = std::holds_alternative<Constant>(sizes) ? 0 : limits.smallest;
    const double most = limits.largest;
    return std::min(mean_from_0(sizes).value_or(most) + raised, most);
}

}  // namespace

void Load::add(const FlowSpec& flow) {
    ++flows;
    const double pps = is_greedy(flow.idt) ? kUnlimited : 1e9 / mean_gap_ns(flow.idt);
    const double there = mean_size(flow, flow.size);
    const double back = flow.meter == Meter::one_way ? 0 : mean_size(flow, flow.response.value_or(flow.size));
    packets_per_s += flow.meter == Meter::one_way ? pps : 2 * pps;
    bits_per_s += pps * 8 * (there + back);
    const bool ends = flow.stop.duration and flow.start_delay <= Nanos::max() - *flow.stop.duration;
    duration =
        duration and ends ? std::optional(std::max(*duration, flow.start_delay + *flow.stop.duration)) : std::nullopt;
}

void Load::add(const Load& other) {
    sessions += other.sessions;
    flows += other.flows;
    packets_per_s += other.packets_per_s;
    bits_per_s += other.bits_per_s;
    duration = duration and other.duration ? std::optional(std::max(*duration, *other.duration)) : std::nullopt;
}

}  // namespace groma
