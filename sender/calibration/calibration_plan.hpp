// What a calibration measures, and in which order: points of rate, size, distribution and logging. Pure.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "common/model/distributions/distribution.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/time/instant.hpp"
#include "sender/options/calibration_options.hpp"

namespace groma {

/// What is swept. Points belong to one database when these are equal.
struct CalibrationSettings {
    Transport transport = Transport::udp;
    bool quick = false;
    std::vector<double> rates_pps;  ///< rising
    /// The first of each is what the others are compared with.
    std::vector<std::uint32_t> sizes_bytes;
    std::vector<GapFamily> distributions;
    std::vector<LoggingWay> loggings;
    unsigned repetitions = 1;
    Nanos point_time{0};  ///< the shortest duration of a point; see duration_at()
    std::uint64_t seed = 0;
    LatenessPolicy lateness = LatenessPolicy::catch_up;
    bool operator==(const CalibrationSettings&) const = default;
};

/// What differs from one curve to another.
struct Series {
    GapFamily distribution = GapFamily::constant;
    std::uint32_t size_bytes = 0;
    LoggingWay logging = LoggingWay::off;
    auto operator<=>(const Series&) const = default;
};

/// Why a point is measured: as part of the sweep, or by the search for the highest rate.
enum class PointKind : std::uint8_t { sweep, search };

struct Point {
    PointKind kind = PointKind::sweep;
    Series series;
    double rate_pps = 0;
    unsigned repetition = 1;
    auto operator<=>(const Point&) const = default;
};

/// The search for the highest rate of a series that is kept within `tolerance`, a rate error as a ratio.
struct Search {
    Series series;
    double tolerance = 0;
    bool operator==(const Search&) const = default;
};

inline constexpr Nanos kUsualMaxTime = std::chrono::minutes(20);
inline constexpr Nanos kQuickMaxTime = std::chrono::minutes(2);
/// What sessions, probes and logs of a point take besides its flow, before it has been measured.
inline constexpr Nanos kUsualOverhead = std::chrono::milliseconds(900);

/// What the user asked for, completed: as many repetitions (at most 5) as fit into the time; when not even one does,
/// only one rate of each decade. `log_server`: there is one to ship logs to.
[[nodiscard]] CalibrationSettings choose_settings(const CalibrationArguments& arguments, bool log_server,
                                                  std::uint64_t fresh_seed);

/// The logging that sizes and distributions are compared with: the first that keeps a log, if any does.
[[nodiscard]] LoggingWay main_logging(const CalibrationSettings& settings);

/// A star around the first of each: all distributions, all sizes, all ways of logging; no series twice.
[[nodiscard]] std::vector<Series> series_of(const CalibrationSettings& settings);

/// Interleaved: a whole sweep before its repetition, in it rate by rate, at each rate series by series, so that what
/// changes on the hosts meanwhile changes all curves.
[[nodiscard]] std::vector<Point> sweep_points(const CalibrationSettings& settings);

[[nodiscard]] std::vector<Search> searches(const CalibrationSettings& settings);

/// The search stops when the rate is known as well as this, as a ratio.
[[nodiscard]] double search_resolution(const CalibrationSettings& settings);

/// For 2000 packets, but at least `point_time` and at most five times that.
[[nodiscard]] Nanos duration_at(const CalibrationSettings& settings, double rate_pps);

/// Gaps in nanoseconds with a mean of 1/rate.
[[nodiscard]] Distribution gaps_of(GapFamily family, double rate_pps);

/// The flow of a point. Repetitions have seeds of their own; within one, all rates and sizes share their random
/// numbers.
[[nodiscard]] FlowSpec flow_of(const CalibrationSettings& settings, const Point& point, const Target& to);

/// Whether the gaps of this point are kept one by one: of first repetitions, at the first size.
[[nodiscard]] bool keeps_gaps(const CalibrationSettings& settings, const Point& point);

/// How long these points will take, each its duration and `overhead`. Rates beyond a million are not counted: few hosts
/// get there.
[[nodiscard]] Nanos estimate(const CalibrationSettings& settings, const std::vector<Point>& points, Nanos overhead);

/// A guess at what all searches take.
[[nodiscard]] Nanos estimate_searches(const CalibrationSettings& settings, Nanos overhead);

/// A series ends behind two rates in a row that it could not keep by far: higher ones would tell nothing new.
class SeriesEnds {
public:
    /// A sent rate below this share of the asked one counts as not kept by far.
    static constexpr double kFar = 0.9;

    void add(const Point& point, double sent_over_asked);
    [[nodiscard]] bool ended_before(const Point& point) const;

private:
    std::map<Series, std::map<double, bool>> far_;  ///< by rate: in any repetition
};

}  // namespace groma
