#include "common/stats/clock/offset_lines.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/time/difference.hpp"

namespace groma {

namespace {

constexpr int kHalvings = 64;

double nanos(Nanos span) {
    return static_cast<double>(span.count());
}

/// Which side of a line from a to b a third point lies on; positive: above.
template <typename Point>
double turn(const Point& a, const Point& b, const Point& c) {
    return (b.time - a.time) * (c.offset - a.offset) - (b.offset - a.offset) * (c.time - a.time);
}

}  // namespace

OffsetLines::OffsetLines(std::span<const ProbeTimes> probes)
    : base_(probes.front()),
      base_offset_(difference(probes.front().received, probes.front().sent)),
      probes_(probes.size()) {
    std::vector<Point> most;
    std::vector<Point> least;
    most.reserve(probes.size());
    least.reserve(probes.size());
    double largest = 0;
    for (const ProbeTimes& probe : probes) {
        const double sent = nanos(difference(probe.sent, base_.sent));
        const double returned = nanos(difference(probe.returned, base_.sent));
        most.push_back({sent, nanos(difference(probe.received, probe.sent, base_offset_))});
        least.push_back({returned, -nanos(difference(probe.answered, probe.returned, base_offset_))});
        begin_ = std::min(begin_, sent);
        end_ = std::max(end_, returned);
        largest = std::max({largest, std::abs(most.back().offset), std::abs(least.back().offset),
                            kMostSkew * std::abs(sent), kMostSkew * std::abs(returned)});
    }
    // Stamps are whole nanoseconds, and a double of more than 2^53 of them is not exact.
    slack_ = 1 + largest * 16 * std::numeric_limits<double>::epsilon();
    upper_ = lower_hull(std::move(most));
    lower_ = lower_hull(std::move(least));
}

std::vector<OffsetLines::Point> OffsetLines::lower_hull(std::vector<Point> points) {
    std::sort(points.begin(), points.end(),
              [](const Point& a, const Point& b) { return a.time != b.time ? a.time < b.time : a.offset < b.offset; });
    std::vector<Point> hull;
    for (const Point& point : points) {
        if (not hull.empty() and hull.back().time == point.time) {
            continue;  // above the one that is there
        }
        while (hull.size() >= 2 and turn(hull[hull.size() - 2], hull.back(), point) <= 0) {
            hull.pop_back();
        }
        hull.push_back(point);
    }
    return hull;
}

/// Where a line of this skew touches the hull from below.
const OffsetLines::Point& OffsetLines::tangent(const std::vector<Point>& hull, double skew) {
    std::size_t low = 0;
    std::size_t high = hull.size() - 1;
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        const Point& here = hull[middle];
        const Point& next = hull[middle + 1];
        if (next.offset - here.offset < skew * (next.time - here.time)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return hull[low];
}

/// How high the highest line of this skew is at that time, and how low the lowest.
double OffsetLines::ceiling(double skew, double time) const {
    const Point& touched = tangent(upper_, skew);
    return touched.offset + slack_ + skew * (time - touched.time);
}

double OffsetLines::floor(double skew, double time) const {
    const Point& touched = tangent(lower_, -skew);
    return -touched.offset - slack_ + skew * (time - touched.time);
}

/// Between the highest line and the lowest of this skew; a concave function of it.
double OffsetLines::room(double skew) const {
    return ceiling(skew, 0) - floor(skew, 0);
}

/// The skew with the most room, or the first that is met with enough.
double OffsetLines::best_skew() const {
    double least = -kMostSkew;
    double most = kMostSkew;
    double skew = 0;
    for (int i = 0; i < kHalvings and room(skew) < 0; ++i) {
        // The room grows with the skew where the floor is held up later than the ceiling is held down.
        const bool grows = tangent(lower_, -skew).time > tangent(upper_, skew).time;
        (grows ? least : most) = skew;
        skew = least + (most - least) / 2;
    }
    return skew;
}

bool OffsetLines::any() const {
    return room(best_skew()) >= 0;
}

/// From a skew with room towards `end`: the last with room, rounded outwards.
double OffsetLines::last_possible(double possible, double end) const {
    if (room(end) >= 0) {
        return end;
    }
    for (int i = 0; i < kHalvings; ++i) {
        const double middle = possible + (end - possible) / 2;
        (room(middle) >= 0 ? possible : end) = middle;
    }
    return end;
}

double OffsetLines::highest(const SkewRange& range, double time) const {
    double least = range.least;
    double most = range.most;
    for (int i = 0; i < kHalvings; ++i) {
        const double skew = least + (most - least) / 2;
        (tangent(upper_, skew).time < time ? least : most) = skew;
    }
    return std::max({ceiling(least, time), ceiling(most, time)});
}

double OffsetLines::lowest(const SkewRange& range, double time) const {
    double least = range.least;
    double most = range.most;
    for (int i = 0; i < kHalvings; ++i) {
        const double skew = least + (most - least) / 2;
        (tangent(lower_, -skew).time < time ? most : least) = skew;
    }
    return std::min(floor(least, time), floor(most, time));
}

ClockPiece OffsetLines::middle() const {
    const double possible = best_skew();
    const SkewRange range{last_possible(possible, -kMostSkew), last_possible(possible, kMostSkew)};
    const double skew = range.least + (range.most - range.least) / 2;
    const double offset = (ceiling(skew, begin_) + floor(skew, begin_)) / 2;
    // How far the outermost lines are away is a convex function of time: it is largest at one of the ends.
    double error = 0;
    for (const double time : {begin_, end_}) {
        const double here = offset + skew * (time - begin_);
        error = std::max({error, highest(range, time) - here, here - lowest(range, time)});
    }
    const auto whole = [](double value) { return Nanos{std::llround(value)}; };
    ClockPiece piece;
    piece.reference = moved(base_.sent, whole(begin_));
    piece.last = moved(base_.sent, whole(end_));
    piece.offset = held_to_longest(held_to_longest(whole(offset)) + base_offset_);
    piece.skew = skew;
    piece.skew_error = (range.most - range.least) / 2;
    piece.bound = held_to_longest(whole(std::ceil(error)) + Nanos{1});
    piece.probes = probes_;
    return piece;
}

}  // namespace groma
