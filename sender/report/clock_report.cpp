#include "sender/report/clock_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "common/model/text/human.hpp"

namespace groma {

namespace {

constexpr double kPpm = 1e6;

}  // namespace

std::optional<OffsetReport> offset_report(std::span<const ClockProbe> probes, WallTime begin, WallTime end) {
    std::vector<ProbeTimes> times;
    times.reserve(probes.size());
    for (const ClockProbe& probe : probes) {
        times.push_back({probe.sent, probe.received, probe.answered, probe.returned});
    }
    const ClockFit fit = fit_clock(times);
    if (fit.pieces.empty()) {
        return std::nullopt;
    }
    OffsetReport report;
    report.offset = fit.offset(begin);
    report.bound = fit.bound(begin, std::max(begin, end));
    report.skew_ppm = fit.pieces.front().skew * kPpm;
    report.skew_error_ppm = fit.pieces.front().skew_error * kPpm;
    report.steps = fit.steps;
    report.probes = fit.used;
    return report;
}

std::string describe(const OffsetReport& offset) {
    std::string text = fmt::format("clock differs by {}, at most {} off, runs {:.1f} +- {:.1f} ppm {}",
                                   human_time(offset.offset), human_time(offset.bound), std::abs(offset.skew_ppm),
                                   offset.skew_error_ppm, offset.skew_ppm < 0 ? "slower" : "faster");
    for (const ClockStep& step : offset.steps) {
        text += fmt::format("; a step of {} (+- {})", human_time(step.size), human_time(step.error));
    }
    return text;
}

nlohmann::json to_json(const OffsetReport& offset) {
    nlohmann::json steps = nlohmann::json::array();
    for (const ClockStep& step : offset.steps) {
        steps.push_back({{"at_ns", ns_since_epoch(step.at)},
                         {"within_ns", step.within.count()},
                         {"size_ns", step.size.count()},
                         {"error_ns", step.error.count()}});
    }
    return {
        {"offset_ns", offset.offset.count()},      {"bound_ns", offset.bound.count()}, {"skew_ppm", offset.skew_ppm},
        {"skew_error_ppm", offset.skew_error_ppm}, {"probes", offset.probes},          {"steps", std::move(steps)}};
}

nlohmann::json to_json(const OwnStep& step) {
    return {{"at_ns", ns_since_epoch(step.at)}, {"size_ns", step.size.count()}};
}

}  // namespace groma
