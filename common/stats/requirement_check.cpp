#include "common/stats/requirement_check.hpp"

#include <fmt/format.h>

#include "common/base/plain_text.hpp"
#include "common/model/quantity_text.hpp"

namespace groma {

namespace {

bool is_of_distribution(RequiredFigure figure) {
    return figure == RequiredFigure::lambda2 or figure == RequiredFigure::ks or figure == RequiredFigure::a2;
}

double percentile(const LogHistogram& histogram, double fraction) {
    return static_cast<double>(histogram.percentile(fraction));
}

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> number(std::optional<std::uint64_t> count) {
    return count ? std::optional(static_cast<double>(*count)) : std::nullopt;
}

std::optional<double> of_distribution(RequiredFigure figure, const std::optional<DistributionFit>& fit) {
    if (not fit) {
        return std::nullopt;
    }
    return figure == RequiredFigure::lambda2 ? fit->lambda2 : figure == RequiredFigure::ks ? fit->ks : fit->a2;
}

std::optional<double> measured(RequiredFigure figure, const FlowToCheck& flow) {
    if (flow.fidelity == nullptr) {
        return std::nullopt;
    }
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
            return of_distribution(figure, f.fit);
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

CheckedRequirement check(const Requirement& required, const std::vector<FlowToCheck>& flows) {
    CheckedRequirement result{required};
    bool unknown = false;
    for (const FlowToCheck& flow : flows) {
        const std::optional<double> value = measured(required.figure, flow);
        if (not value) {
            if (not unknown and not is_of_distribution(required.figure)) {
                unknown = true;
                result.flow = flow.name;
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
        return fmt::format("{} of flow '{}' is not known, at most {} is required", what, plain_text(flow), limit);
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
