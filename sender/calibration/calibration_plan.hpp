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
    /// The first of each list is the baseline of the comparison.
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

/// Whether a point belongs to the sweep or to the search for the highest rate.
enum class PointKind : std::uint8_t { sweep, search };

struct Point {
    PointKind kind = PointKind::sweep;
    Series series;
    double rate_pps = 0;
    unsigned repetition = 1;
    auto operator<=>(const Point&) const = default;
};

/// Searches a series for the highest rate with a rate error of at most `tolerance` (a ratio).
struct Search {
    Series series;
    double tolerance = 0;
    bool operator==(const Search&) const = default;
};

inline constexpr Nanos kUsualMaxTime = std::chrono::minutes(20);
inline constexpr Nanos kQuickMaxTime = std::chrono::minutes(2);
/// First estimate of the time that sessions, probes and logs add to a point's flow.
inline constexpr Nanos kUsualOverhead = std::chrono::milliseconds(900);

/// Completes the user's settings: as many repetitions (at most 5) as fit into the time. If not even one fits, only one
/// rate of each decade. `log_server`: whether logs can be shipped to one.
[[nodiscard]] CalibrationSettings choose_settings(const CalibrationArguments& arguments, bool log_server,
                                                  std::uint64_t fresh_seed);

/// The logging with which sizes and distributions are compared: the first that keeps a log, if any.
[[nodiscard]] LoggingWay main_logging(const CalibrationSettings& settings);

/// Varies one setting at a time from the first of each: all distributions, all sizes, all ways of logging. No
/// duplicates.
[[nodiscard]] std::vector<Series> series_of(const CalibrationSettings& settings);

/// Interleaved: each repetition is one sweep, rate by rate, and at each rate series by series. A change on the hosts
/// thus affects all curves alike.
[[nodiscard]] std::vector<Point> sweep_points(const CalibrationSettings& settings);

[[nodiscard]] std::vector<Search> searches(const CalibrationSettings& settings);

/// The search stops when it knows the rate to within this ratio.
[[nodiscard]] double search_resolution(const CalibrationSettings& settings);

/// Long enough for 2000 packets, but between `point_time` and five times that.
[[nodiscard]] Nanos duration_at(const CalibrationSettings& settings, double rate_pps);

/// Gaps in nanoseconds with a mean of 1/rate.
[[nodiscard]] Distribution gaps_of(GapFamily family, double rate_pps);

/// The flow of a point. Each repetition has its own seed, which all its rates and sizes share.
[[nodiscard]] FlowSpec flow_of(const CalibrationSettings& settings, const Point& point, const Target& to);

/// Whether the gaps of this point are kept individually: only for first repetitions at the first size.
[[nodiscard]] bool keeps_gaps(const CalibrationSettings& settings, const Point& point);

/// The time for these points: the duration of each plus `overhead`. Ignores rates above a million, which few hosts
/// reach.
[[nodiscard]] Nanos estimate(const CalibrationSettings& settings, const std::vector<Point>& points, Nanos overhead);

/// Estimated time for all searches.
[[nodiscard]] Nanos estimate_searches(const CalibrationSettings& settings, Nanos overhead);

/// Ends a series after two consecutive rates that it missed by far: higher rates add no information.
class SeriesEnds {
public:
    /// A sent rate below this share of the requested rate counts as missed by far.
    static constexpr double kFar = 0.9;

    void add(const Point& point, double sent_over_asked);
    [[nodiscard]] bool ended_before(const Point& point) const;

private:
    std::map<Series, std::map<double, bool>> far_;  ///< by rate: in any repetition
};

}  // namespace groma
