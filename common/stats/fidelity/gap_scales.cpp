#include "common/stats/fidelity/gap_scales.hpp"

#include <bit>
#include <cmath>

namespace groma {

namespace {

/// Damaged times can be anything: modulo 2^64.
double apart(std::int64_t later, std::int64_t earlier) {
    return static_cast<double>(
        static_cast<std::int64_t>(static_cast<std::uint64_t>(later) - static_cast<std::uint64_t>(earlier)));
}

}  // namespace

void GapScales::Level::add(std::int64_t time_now, std::int64_t lateness_now) {
    if (points > 0) {
        const double stretch = apart(time_now, time);
        const double growth_now = apart(lateness_now, lateness);
        ++stretches;
        const double from_mean = stretch - mean;
        mean += from_mean / static_cast<double>(stretches);
        squares += from_mean * (stretch - mean);
        if (points > 1) {
            ++pairs;
            growth_squares += (growth_now - growth) * (growth_now - growth);
        }
        growth = growth_now;
    }
    points = points < 2 ? static_cast<std::uint8_t>(points + 1) : points;
    time = time_now;
    lateness = lateness_now;
}

void GapScales::add(std::int64_t time, std::int64_t lateness) {
    if (levels_.empty()) {
        levels_.emplace_back();
    }
    if (points_ == 0) {
        start_time_ = time;
        start_lateness_ = lateness;
    }
    const std::size_t among = points_ == 0 ? levels_.size() : static_cast<std::size_t>(std::countr_zero(points_)) + 1;
    if (among > levels_.size()) {
        levels_.emplace_back().add(start_time_, start_lateness_);
    }
    for (std::size_t level = 0; level < among; ++level) {
        levels_[level].add(time, lateness);
    }
    ++points_;
}

void GapScales::add(std::span<const std::int64_t> times, std::span<const std::int64_t> lateness) {
    for (std::size_t i = 0; i < times.size(); ++i) {
        add(times[i], lateness.empty() ? 0 : lateness[i]);
    }
}

void GapScales::begin_anew() {
    points_ = 0;
    for (Level& level : levels_) {
        level.points = 0;
    }
}

std::optional<double> GapScales::dispersion(std::size_t level) const {
    const Level& it = levels_[level];
    const double mean_gap = levels_.front().mean;
    if (not(mean_gap > 0)) {
        return std::nullopt;
    }
    const double variance = it.squares / (static_cast<double>(it.stretches) - 1);
    return variance / (std::ldexp(1, static_cast<int>(level)) * mean_gap * mean_gap);
}

std::vector<GapScale> GapScales::scales(bool of_constant_rate) const {
    std::vector<GapScale> scales;
    for (std::size_t level = 0; level < levels_.size() and levels_[level].stretches >= kLeastStretches; ++level) {
        const Level& it = levels_[level];
        GapScale scale{std::uint64_t{1} << level, it.stretches, it.mean, dispersion(level), std::nullopt};
        if (of_constant_rate and scale.mean_ns > 0 and it.pairs > 0) {
            scale.allan_deviation = std::sqrt(it.growth_squares / (2 * static_cast<double>(it.pairs))) / scale.mean_ns;
        }
        scales.push_back(scale);
    }
    return scales;
}

}  // namespace groma
