#include "common/stats/fidelity/requirement_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "common/base/plain_text.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

using Value = std::optional<double>;  // empty: unknown

std::optional<double> number(std::optional<std::uint64_t> count) {
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

double share(std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

template <LogHistogram Fidelity::*Histogram>
std::uint64_t values_in(const FlowToCheck& flow) {
    return (flow.fidelity->*Histogram).count();
}

template <LogHistogram Fidelity::*Histogram, int PerMille>
Value percentile(const FlowToCheck& flow) {
    return static_cast<double>((flow.fidelity->*Histogram).percentile(PerMille / 1000.0));
}

template <auto Distance>
Value distance(const FlowToCheck& flow) {
    const auto& fit = flow.fidelity->fit;
    return fit ? Value(std::invoke(Distance, *fit)) : std::nullopt;
}

std::uint64_t packets(const FlowToCheck& flow) {
    return flow.fidelity->packets;
}

/// How to check a figure of a flow with known fidelity.
struct FigureCheck {
    RequiredFigure figure;
    /// Requires: packets were sent, if the figure is one of packets.
    Value (*measured)(const FlowToCheck& flow);
    std::uint64_t fewest_departures = 1;                         ///< in the schedule, for the figure to exist
    std::uint64_t (*values)(const FlowToCheck& flow) = packets;  ///< the values that it is computed from
    std::uint64_t fewest_values = 1;
    bool of_distribution = false;  ///< of the gaps' distribution: needs a model
};

constexpr auto kLateness = values_in<&Fidelity::lateness_ns>;
constexpr auto kGaps = values_in<&Fidelity::gap_error_ns>;
template <int PerMille>
constexpr auto kLatenessAt = percentile<&Fidelity::lateness_ns, PerMille>;
template <int PerMille>
constexpr auto kGapErrorAt = percentile<&Fidelity::gap_error_ns, PerMille>;

template <RequiredFigure figure>
constexpr FigureCheck measured_time() {
    return {figure, [](const FlowToCheck& flow) -> Value {
                const auto known = flow.times_ns.find(figure);
                return known != flow.times_ns.end() ? Value(known->second) : std::nullopt;
            }};
}

/// In the order of the enumeration.
constexpr std::array kChecks{
    FigureCheck{RequiredFigure::rate, [](const FlowToCheck& flow) -> Value { return flow.fidelity->rate_error(); }, 2},
    FigureCheck{RequiredFigure::lateness_p50, kLatenessAt<500>, 1, kLateness},
    FigureCheck{RequiredFigure::lateness_p90, kLatenessAt<900>, 1, kLateness},
    FigureCheck{RequiredFigure::lateness_p99, kLatenessAt<990>, 1, kLateness},
    FigureCheck{RequiredFigure::lateness_p99_9, kLatenessAt<999>, 1, kLateness},
    FigureCheck{RequiredFigure::lateness_max, kLatenessAt<1000>, 1, kLateness},
    FigureCheck{RequiredFigure::gap_p50, kGapErrorAt<500>, 2, kGaps},
    FigureCheck{RequiredFigure::gap_p90, kGapErrorAt<900>, 2, kGaps},
    FigureCheck{RequiredFigure::gap_p99, kGapErrorAt<990>, 2, kGaps},
    FigureCheck{RequiredFigure::gap_p99_9, kGapErrorAt<999>, 2, kGaps},
    FigureCheck{RequiredFigure::gap_max, kGapErrorAt<1000>, 2, kGaps},
    FigureCheck{RequiredFigure::gap_variation,
                [](const FlowToCheck& flow) -> Value { return flow.fidelity->gap_variation; }, 3, kGaps, 2},
    FigureCheck{RequiredFigure::lambda2, distance<&DistributionFit::lambda2>, kFewestGaps + 1, packets, 1, true},
    FigureCheck{RequiredFigure::ks, distance<&DistributionFit::ks_most>, kFewestGaps + 1, packets, 1, true},
    FigureCheck{RequiredFigure::a2, distance<&DistributionFit::a2>, kFewestGaps + 1, packets, 1, true},
    FigureCheck{RequiredFigure::behind,
                [](const FlowToCheck& flow) -> Value { return static_cast<double>(flow.fidelity->behind.count()); }},
    FigureCheck{RequiredFigure::batched,
                [](const FlowToCheck& flow) -> Value { return share(flow.fidelity->batched, packets(flow)); }},
    FigureCheck{
        RequiredFigure::loss,
        [](const FlowToCheck& flow) { return flow.lost ? Value(share(*flow.lost, packets(flow))) : std::nullopt; }},
    FigureCheck{RequiredFigure::missed, [](const FlowToCheck& flow) { return number(flow.missed); }, 1,
                [](const FlowToCheck& flow) { return packets(flow) + flow.missed.value_or(0); }},
    FigureCheck{RequiredFigure::unsent, [](const FlowToCheck& flow) { return number(flow.unsent); }, 1,
                [](const FlowToCheck& flow) { return packets(flow) + flow.unsent.value_or(0); }},
    measured_time<RequiredFigure::delay_p50>(),
    measured_time<RequiredFigure::delay_p90>(),
    measured_time<RequiredFigure::delay_p99>(),
    measured_time<RequiredFigure::delay_p99_9>(),
    measured_time<RequiredFigure::delay_max>(),
    measured_time<RequiredFigure::jitter>(),
    measured_time<RequiredFigure::rtt_p50>(),
    measured_time<RequiredFigure::rtt_p90>(),
    measured_time<RequiredFigure::rtt_p99>(),
    measured_time<RequiredFigure::rtt_p99_9>(),
    measured_time<RequiredFigure::rtt_max>(),
};

const FigureCheck& check_of(RequiredFigure figure) {
    return kChecks.at(static_cast<std::size_t>(figure));
}

bool is_round_trip(RequiredFigure figure) {
    return figure >= RequiredFigure::rtt_p50 and figure <= RequiredFigure::rtt_max;
}

bool was_asked(RequiredFigure figure, const FlowToCheck& flow) {
    if (flow.fidelity == nullptr) {
        return true;
    }
    if (is_round_trip(figure) and not flow.round_trip) {
        return false;
    }
    const Fidelity& f = *flow.fidelity;
    if (f.greedy and figure <= RequiredFigure::behind) {
        return false;  // up to there, they compare with a schedule
    }
    if (check_of(figure).of_distribution and not f.fit and not f.gap_counts.comparable()) {
        return false;
    }
    if (figure == RequiredFigure::rate and flow.ran_to_its_end and f.packets > 1 and not f.scheduled.empty() and
        not f.sent.empty() and not f.scheduled_pps()) {
        return false;  // all at one instant
    }
    const std::uint64_t departures = f.packets + flow.missed.value_or(0) + flow.unsent.value_or(0);
    return not flow.ran_to_its_end or departures >= check_of(figure).fewest_departures;
}

std::optional<double> judged(RequiredFigure figure, const FlowToCheck& flow) {
    const FigureCheck& check = check_of(figure);
    if (flow.fidelity == nullptr or check.values(flow) < check.fewest_values) {
        return std::nullopt;
    }
    const Value value = check.measured(flow);
    return value and std::isfinite(*value) ? value : std::nullopt;
}

std::string_view why_unknown(RequiredFigure figure, const FlowToCheck& flow) {
    if (flow.fidelity != nullptr and flow.fidelity->packets == 0) {
        return "because nothing of it was sent";
    }
    if (figure == RequiredFigure::loss) {
        return flow.loss_unknown_because;
    }
    if (figure >= RequiredFigure::delay_p50) {
        return flow.times_unknown_because;
    }
    const bool of_whole_flow = figure == RequiredFigure::missed or figure == RequiredFigure::unsent;
    return of_whole_flow and not flow.ran_to_its_end ? "because it did not run to its end" : "";
}

CheckedRequirement check(const Requirement& required, const std::vector<FlowToCheck>& flows) {
    CheckedRequirement result{required};
    bool unknown = false;
    for (const FlowToCheck& flow : flows) {
        if (not was_asked(required.figure, flow)) {
            continue;
        }
        const std::optional<double> value = judged(required.figure, flow);
        if (not value) {
            if (not unknown) {
                unknown = true;
                result.flow = flow.name;
                result.why_unknown = why_unknown(required.figure, flow);
            }
            continue;
        }
        result.flows_beyond += *value > required.limit ? 1U : 0U;
        if (not unknown and (not result.worst or *value > *result.worst)) {
            result.worst = value;
            result.flow = flow.name;
        }
    }
    if (unknown) {
        result.worst.reset();
    }
    result.met = result.worst and *result.worst <= required.limit;
    return result;
}

}  // namespace

std::string required_value(RequiredFigure figure, double value) {
    const RequiredUnit unit = row_of(figure).unit;
    if (unit == RequiredUnit::time_ns) {
        return fmt::format("{:.4g} us", value / 1e3);
    }
    return unit == RequiredUnit::number ? fmt::format("{:.4g}", value) : fmt::format("{:.4g} %", value * 100);
}

void FlowToCheck::add_times(RequiredFigure first, const std::array<double, 5>& values_ns) {
    auto figure = static_cast<std::uint8_t>(first);
    for (const double ns : values_ns) {
        const auto [known, is_new] = times_ns.emplace(RequiredFigure{figure++}, ns);
        known->second = std::max(known->second, ns);
    }
}

std::string CheckedRequirement::sentence() const {
    const std::string_view what = row_of(required.figure).what;
    const std::string limit = required_value(required.figure, required.limit);
    if (flow.empty() and not worst) {
        return fmt::format("{} is not known of any flow, at most {} is required", what, limit);
    }
    if (not worst) {
        return fmt::format("{} of flow '{}' is not known{}, at most {} is required", what, plain_text(flow),
                           why_unknown.empty() ? "" : fmt::format(" {}", why_unknown), limit);
    }
    const std::string others = flows_beyond > 1 ? fmt::format(" ({} flows are beyond it)", flows_beyond) : "";
    return fmt::format("{} of flow '{}' is {}, at most {} is required{}", what, plain_text(flow),
                       required_value(required.figure, *worst), limit, others);
}

std::vector<CheckedRequirement> check_requirements(const std::vector<Requirement>& requirements,
                                                   const std::vector<FlowToCheck>& flows) {
    std::vector<CheckedRequirement> results;
    results.reserve(requirements.size());
    for (const Requirement& required : requirements) {
        results.push_back(check(required, flows));
    }
    return results;
}

}  // namespace groma
