#include "sender/calibration/calibration_plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace groma {

namespace {

constexpr double kPacketsWanted = 2000;
constexpr int kLongestOverShortest = 5;
constexpr unsigned kMostRepetitions = 5;
constexpr double kSeldomReached = 1e6;
/// The share of the allowed time that the plan uses; the rest is reserve, since hosts differ.
constexpr double kPlannedShare = 0.85;
constexpr std::array kTolerances{0.001, 0.01};
constexpr double kUsualResolution = 1.02;
constexpr double kQuickResolution = 1.1;
/// Trials between two neighbours of 1, 2, 5, 10, including some second tries.
constexpr int kUsualTrials = 8;
constexpr int kQuickTrials = 5;

std::vector<double> decades(double from, double to, const std::vector<double>& steps) {
    std::vector<double> rates;
    for (double decade = from; decade <= to; decade *= 10) {
        for (const double step : steps) {
            if (decade * step <= to) {
                rates.push_back(decade * step);
            }
        }
    }
    return rates;
}

std::vector<double> usual_rates(bool quick, bool thin) {
    if (quick) {
        return {1'000, 10'000, 50'000, 100'000, 200'000, 500'000, 1'000'000};
    }
    return decades(100, 1e7, thin ? std::vector<double>{1} : std::vector<double>{1, 2, 5});
}

template <typename Value>
std::vector<Value> given_or(const std::vector<Value>& given, std::vector<Value> usual) {
    return given.empty() ? std::move(usual) : given;
}

Nanos whole_time(const CalibrationSettings& settings) {
    return estimate(settings, sweep_points(settings), kUsualOverhead) + estimate_searches(settings, kUsualOverhead);
}

bool fits(CalibrationSettings settings, unsigned repetitions, Nanos time) {
    settings.repetitions = repetitions;
    return to_seconds(whole_time(settings)) <= kPlannedShare * to_seconds(time);
}

}  // namespace

CalibrationSettings choose_settings(const CalibrationArguments& arguments, bool log_server, std::uint64_t fresh_seed) {
    CalibrationSettings settings;
    settings.transport = arguments.transport;
    settings.quick = arguments.quick;
    settings.rates_pps = given_or(arguments.rates_pps, usual_rates(arguments.quick, false));
    settings.sizes_bytes = given_or(arguments.sizes_bytes, arguments.quick ? std::vector<std::uint32_t>{64, 1472}
                                                                           : std::vector<std::uint32_t>{64, 512, 1472});
    settings.distributions = given_or(
        arguments.distributions,
        arguments.quick ? std::vector{GapFamily::constant, GapFamily::exponential, GapFamily::pareto}
                        : std::vector{GapFamily::constant, GapFamily::exponential, GapFamily::uniform,
                                      GapFamily::normal, GapFamily::pareto, GapFamily::gamma, GapFamily::weibull});
    std::vector<LoggingWay> ways{LoggingWay::local, LoggingWay::off};
    if (log_server) {
        ways.insert(ways.end(), {LoggingWay::tcp, LoggingWay::udp});
    }
    settings.loggings = given_or(arguments.loggings, std::move(ways));
    settings.point_time =
        arguments.point_time.value_or(arguments.quick ? std::chrono::milliseconds(500) : std::chrono::seconds(1));
    settings.seed = arguments.seed.value_or(fresh_seed);
    settings.lateness = arguments.lateness;
    const Nanos time = arguments.max_time.value_or(arguments.quick ? kQuickMaxTime : kUsualMaxTime);
    unsigned repetitions = arguments.repetitions.value_or(arguments.quick ? 1 : kMostRepetitions);
    while (not arguments.repetitions and repetitions > 1 and not fits(settings, repetitions, time)) {
        --repetitions;
    }
    settings.repetitions = repetitions;
    if (arguments.rates_pps.empty() and not fits(settings, repetitions, time)) {
        settings.rates_pps = usual_rates(arguments.quick, true);
    }
    return settings;
}

LoggingWay main_logging(const CalibrationSettings& settings) {
    const auto kept = std::ranges::find_if(settings.loggings, [](LoggingWay way) { return way != LoggingWay::off; });
    return kept == settings.loggings.end() ? LoggingWay::off : *kept;
}

std::vector<Series> series_of(const CalibrationSettings& settings) {
    const LoggingWay logging = main_logging(settings);
    std::vector<Series> all;
    const auto add = [&all](const Series& series) {
        if (std::ranges::find(all, series) == all.end()) {
            all.push_back(series);
        }
    };
    for (const GapFamily family : settings.distributions) {
        add({family, settings.sizes_bytes.front(), logging});
    }
    for (const std::uint32_t size : settings.sizes_bytes) {
        add({settings.distributions.front(), size, logging});
    }
    for (const LoggingWay way : settings.loggings) {
        add({settings.distributions.front(), settings.sizes_bytes.front(), way});
    }
    return all;
}

std::vector<Point> sweep_points(const CalibrationSettings& settings) {
    const std::vector<Series> all = series_of(settings);
    std::vector<Point> points;
    for (unsigned repetition = 1; repetition <= settings.repetitions; ++repetition) {
        for (const double rate : settings.rates_pps) {
            for (const Series& series : all) {
                points.push_back({PointKind::sweep, series, rate, repetition});
            }
        }
    }
    return points;
}

std::vector<Search> searches(const CalibrationSettings& settings) {
    std::vector<Search> all;
    for (const std::uint32_t size : settings.sizes_bytes) {
        for (const double tolerance : kTolerances) {
            all.push_back({{settings.distributions.front(), size, main_logging(settings)}, tolerance});
        }
    }
    return all;
}

double search_resolution(const CalibrationSettings& settings) {
    return settings.quick ? kQuickResolution : kUsualResolution;
}

Nanos duration_at(const CalibrationSettings& settings, double rate_pps) {
    const auto shortest = static_cast<double>(settings.point_time.count());
    const double wanted = kPacketsWanted / rate_pps * 1e9;  // infinite if the rate is 0
    return Nanos(static_cast<std::int64_t>(std::clamp(wanted, shortest, kLongestOverShortest * shortest)));
}

Distribution gaps_of(GapFamily family, double rate_pps) {
    const double mean = 1e9 / rate_pps;
    switch (family) {
        case GapFamily::exponential:
            return Exponential{mean};
        case GapFamily::uniform:
            return Uniform{0.5 * mean, 1.5 * mean};
        case GapFamily::normal:
            return Normal{mean, 0.2 * mean};
        case GapFamily::pareto: {  // a heavy tail with a finite variance, so that the mean rate means something
            constexpr double kShape = 2.5;
            return Pareto{kShape, mean * (kShape - 1) / kShape};
        }
        case GapFamily::gamma: {
            constexpr double kShape = 2;
            return Gamma{kShape, mean / kShape};
        }
        case GapFamily::weibull: {  // burstier than exponential
            constexpr double kShape = 0.7;
            return Weibull{kShape, mean / std::tgamma(1 + 1 / kShape)};
        }
        case GapFamily::constant:
            break;
    }
    return Constant{mean};
}

FlowSpec flow_of(const CalibrationSettings& settings, const Point& point, const Target& to) {
    FlowSpec flow;
    flow.id = FlowId{1};
    flow.name = "point";
    flow.transport = settings.transport;
    flow.target = to;
    flow.idt = gaps_of(point.series.distribution, point.rate_pps);
    flow.size = Constant{static_cast<double>(point.series.size_bytes)};
    flow.lateness = settings.lateness;
    flow.stop.duration = duration_at(settings, point.rate_pps);
    flow.seed = settings.seed + point.repetition - 1;
    return flow;
}

bool keeps_gaps(const CalibrationSettings& settings, const Point& point) {
    return point.kind == PointKind::sweep and point.repetition == 1 and point.series.logging == LoggingWay::local and
           point.series.size_bytes == settings.sizes_bytes.front();
}

Nanos estimate(const CalibrationSettings& settings, const std::vector<Point>& points, Nanos overhead) {
    Nanos sum{0};
    for (const Point& point : points) {
        if (point.rate_pps <= kSeldomReached) {
            sum += duration_at(settings, point.rate_pps) + overhead;
        }
    }
    return sum;
}

Nanos estimate_searches(const CalibrationSettings& settings, Nanos overhead) {
    const auto trials =
        static_cast<std::int64_t>(searches(settings).size()) * (settings.quick ? kQuickTrials : kUsualTrials);
    return trials * (settings.point_time + overhead);
}

void SeriesEnds::add(const Point& point, double sent_over_asked) {
    bool& far = far_[point.series][point.rate_pps];
    far = far or sent_over_asked < kFar;
}

bool SeriesEnds::ended_before(const Point& point) const {
    const auto found = far_.find(point.series);
    if (found == far_.end()) {
        return false;
    }
    bool before = false;
    for (const auto& [rate, far] : found->second) {
        if (rate >= point.rate_pps) {
            return false;
        }
        if (far and before) {
            return true;
        }
        before = far;
    }
    return false;
}

}  // namespace groma
