#include "common/stats/fidelity/requirement_check.hpp"

#include <fmt/format.h>

#include <cmath>

#include "common/base/plain_text.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

bool is_of_distribution(RequiredFigure figure) {
    return figure == RequiredFigure::lambda2 or figure == RequiredFigure::ks or figure == RequiredFigure::a2;
}

double percentile(const LogHistogram& histogram, double fraction) {
    return static_cast<double>(histogram.percentile(fraction));
}

double share(std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> number(std::optional<std::uint64_t> count) {
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

double of_distribution(RequiredFigure figure, const DistributionFit& fit) {
    return figure == RequiredFigure::lambda2 ? fit.lambda2 : figure == RequiredFigure::ks ? fit.ks : fit.a2;
}

/// Returns: nothing when it is not known. Requires: packets were sent, as far as the figure is one of them.
std::optional<double> measured(RequiredFigure figure, const FlowToCheck& flow) {
    const Fidelity& f = *flow.fidelity;
    switch (figure) {
        case RequiredFigure::rate:
            return f.rate_error();
        case RequiredFigure::lateness_p50:
            return percentile(f.lateness_ns, 0.5);
        case RequiredFigure::lateness_p90:
            return percentile(f.lateness_ns, 0.9);
        case RequiredFigure::lateness_p99:
            return percentile(f.lateness_ns, 0.99);
        case RequiredFigure::lateness_p99_9:
            return percentile(f.lateness_ns, 0.999);
        case RequiredFigure::lateness_max:
            return percentile(f.lateness_ns, 1);
        case RequiredFigure::gap_p50:
            return percentile(f.gap_error_ns, 0.5);
        case RequiredFigure::gap_p90:
            return percentile(f.gap_error_ns, 0.9);
        case RequiredFigure::gap_p99:
            return percentile(f.gap_error_ns, 0.99);
        case RequiredFigure::gap_p99_9:
            return percentile(f.gap_error_ns, 0.999);
        case RequiredFigure::gap_max:
            return percentile(f.gap_error_ns, 1);
        case RequiredFigure::gap_variation:
            return f.gap_variation;
        case RequiredFigure::lambda2:
        case RequiredFigure::ks:
        case RequiredFigure::a2:
            return f.fit ? std::optional(of_distribution(figure, *f.fit)) : std::nullopt;
        case RequiredFigure::behind:
            return static_cast<double>(f.behind.count());
        case RequiredFigure::batched:
            return share(f.batched, f.packets);
        case RequiredFigure::loss:
            return flow.lost ? std::optional(share(*flow.lost, f.packets)) : std::nullopt;
        case RequiredFigure::missed:
            return number(flow.missed);
        case RequiredFigure::unsent:
            return number(flow.unsent);
    }
    return std::nullopt;
}

/// How much a figure needs before there is one.
struct Need {
    std::uint64_t departures = 1;  ///< of the schedule
    std::uint64_t values = 1;      ///< that were measured
};

Need need_of(RequiredFigure figure) {
    switch (figure) {
        case RequiredFigure::rate:
        case RequiredFigure::gap_p50:
        case RequiredFigure::gap_p90:
        case RequiredFigure::gap_p99:
        case RequiredFigure::gap_p99_9:
        case RequiredFigure::gap_max:
            return {.departures = 2};
        case RequiredFigure::gap_variation:
            return {.departures = 3, .values = 2};
        case RequiredFigure::lambda2:
        case RequiredFigure::ks:
        case RequiredFigure::a2:
            return {.departures = kFewestGaps + 1};
        default:
            return {};
    }
}

/// The values that a figure is made of.
std::uint64_t values_of(RequiredFigure figure, const FlowToCheck& flow) {
    const Fidelity& f = *flow.fidelity;
    switch (figure) {
        case RequiredFigure::lateness_p50:
        case RequiredFigure::lateness_p90:
        case RequiredFigure::lateness_p99:
        case RequiredFigure::lateness_p99_9:
        case RequiredFigure::lateness_max:
            return f.lateness_ns.count();
        case RequiredFigure::gap_p50:
        case RequiredFigure::gap_p90:
        case RequiredFigure::gap_p99:
        case RequiredFigure::gap_p99_9:
        case RequiredFigure::gap_max:
        case RequiredFigure::gap_variation:
            return f.gap_error_ns.count();
        case RequiredFigure::missed:
            return f.packets + flow.missed.value_or(0);
        case RequiredFigure::unsent:
            return f.packets + flow.unsent.value_or(0);
        default:
            return f.packets;
    }
}

bool was_asked(RequiredFigure figure, const FlowToCheck& flow) {
    if (flow.fidelity == nullptr) {
        return true;
    }
    const Fidelity& f = *flow.fidelity;
    if (is_of_distribution(figure) and not f.fit and not f.gap_counts.comparable()) {
        return false;
    }
    if (figure == RequiredFigure::rate and flow.ran_to_its_end and f.packets > 1 and f.scheduled_pps <= 0) {
        return false;  // all at one instant
    }
    const std::uint64_t departures = f.packets + flow.missed.value_or(0) + flow.unsent.value_or(0);
    return not flow.ran_to_its_end or departures >= need_of(figure).departures;
}

std::optional<double> judged(RequiredFigure figure, const FlowToCheck& flow) {
    if (flow.fidelity == nullptr or values_of(figure, flow) < need_of(figure).values) {
        return std::nullopt;
    }
    const std::optional<double> value = measured(figure, flow);
    return value and std::isfinite(*value) ? value : std::nullopt;
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
                result.nothing_was_sent = flow.fidelity != nullptr and flow.fidelity->packets == 0;
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
    return unit == RequiredUnit::share ? fmt::format("{:.4g} %", value * 100) : fmt::format("{:.4g}", value);
}

std::string CheckedRequirement::sentence() const {
    const std::string_view what = row_of(required.figure).what;
    const std::string limit = required_value(required.figure, required.limit);
    if (flow.empty() and not worst) {
        return fmt::format("{} is not known of any flow, at most {} is required", what, limit);
    }
    if (not worst) {
        return fmt::format("{} of flow '{}' is not known{}, at most {} is required", what, plain_text(flow),
                           nothing_was_sent ? " because nothing of it was sent" : "", limit);
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
