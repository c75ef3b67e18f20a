// The straight lines offset(t) that no probe of a stretch contradicts. A probe says that the offset was at most T2 - T1
// when it was sent (T1), and at least T3 - T4 when it came back (T4): a packet takes no negative time. Pure.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "common/stats/clock/clock_fit.hpp"

namespace groma {

class OffsetLines {
public:
    /// Requires: probes not empty. In any order.
    explicit OffsetLines(std::span<const ProbeTimes> probes);

    /// Is there a line of at most kMostSkew?
    [[nodiscard]] bool any() const;

    /// One in the middle of them; `at`, `from` and `until` are not filled in. Requires: any().
    [[nodiscard]] ClockPiece middle() const;

private:
    /// Nanoseconds from the first probe; of its offset.
    struct Point {
        double time = 0;
        double offset = 0;
    };
    struct SkewRange {
        double least = 0;
        double most = 0;
    };

    [[nodiscard]] static std::vector<Point> lower_hull(std::vector<Point> points);
    [[nodiscard]] static const Point& tangent(const std::vector<Point>& hull, double skew);
    [[nodiscard]] double ceiling(double skew, double time) const;
    [[nodiscard]] double floor(double skew, double time) const;
    [[nodiscard]] double room(double skew) const;
    [[nodiscard]] double best_skew() const;
    [[nodiscard]] double last_possible(double possible, double end) const;
    [[nodiscard]] double highest(const SkewRange& range, double time) const;
    [[nodiscard]] double lowest(const SkewRange& range, double time) const;

    ProbeTimes base_;
    Nanos base_offset_;
    std::vector<Point> upper_;  ///< the offset is at most these: their lower hull
    std::vector<Point> lower_;  ///< and at least these, upside down: their lower hull
    std::size_t probes_;
    double begin_ = 0;
    double end_ = 0;
    double slack_ = 1;
};

}  // namespace groma
