#include "common/stats/fit/hurst.hpp"

#include <algorithm>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>

#include "common/stats/fit/scaling_line.hpp"

namespace groma {

namespace {

constexpr double kLn2 = std::numbers::ln2;
constexpr std::uint64_t kFewestDetails = 4;
constexpr std::uint64_t kFewestBlocks = 8;

/// Points, and the stage of each.
struct Points {
    std::vector<ScalePoint> points;
    std::vector<std::size_t> stages;

    void add(std::size_t stage, double value, double error) {
        points.push_back({static_cast<double>(stage), value, error});
        stages.push_back(stage);
    }
};

HurstEstimate estimate(const ScalingLine& line, const Points& points, double value) {
    return {value, line.slope_error / 2, points.stages[line.first], points.stages.back(), line.chance};
}

/// log2 of the variance of the means over blocks of 2^stage values.
Points block_variances(std::span<const BlockSums> scales) {
    Points points;
    for (std::size_t stage = 0; stage < scales.size(); ++stage) {
        const double variance = scales[stage].variance();
        if (scales[stage].blocks() >= kFewestBlocks and variance > 0) {
            const double blocks = static_cast<double>(scales[stage].blocks());
            points.add(stage, std::log2(variance) - 2 * static_cast<double>(stage), std::sqrt(2 / (blocks - 1)) / kLn2);
        }
    }
    return points;
}

/// The same, corrected for the bias of taking the blocks' mean from the blocks, under this H.
std::vector<ScalePoint> unbiased(const Points& found, std::span<const BlockSums> scales, double hurst) {
    std::vector<ScalePoint> points = found.points;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const double blocks = static_cast<double>(scales[found.stages[i]].blocks());
        const double share = (1 - std::pow(blocks, 2 * hurst - 2)) * blocks / (blocks - 1);
        points[i].value -= std::log2(share);
    }
    return points;
}

}  // namespace

std::optional<LogEnergy> log_energy(const DaubechiesDetails& octave) {
    const double energy = octave.energy();
    if (octave.details() < kFewestDetails or not(energy > 0)) {
        return std::nullopt;
    }
    const double n = static_cast<double>(octave.details());
    const double bias = boost::math::digamma(n / 2) / kLn2 - std::log2(n / 2);
    const double normal = boost::math::trigamma(n / 2) / (kLn2 * kLn2);
    const double found = std::max(octave.fourth_moment() / (energy * energy) - 1, 0.0) / (n * kLn2 * kLn2);
    return LogEnergy{std::log2(energy) - bias, std::sqrt(std::max(normal, found))};
}

std::optional<HurstEstimate> wavelet_hurst(std::span<const DaubechiesDetails> octaves) {
    Points points;
    for (std::size_t octave = 0; octave < octaves.size(); ++octave) {
        if (const auto energy = log_energy(octaves[octave])) {
            points.add(octave, energy->log2_energy, energy->error);
        }
    }
    const auto line = line_from_onset(points.points);
    return line ? std::optional(estimate(*line, points, (line->slope + 1) / 2)) : std::nullopt;
}

std::optional<HurstEstimate> variance_time_hurst(std::span<const BlockSums> scales) {
    constexpr int kSteps = 30;
    constexpr double kHighest = 0.99;  // at 1 the variance around the mean does not exist
    const Points found = block_variances(scales);
    auto line = line_from_onset(found.points);
    if (not line) {
        return std::nullopt;
    }
    double hurst = 1 + line->slope / 2;
    for (int step = 0; step < kSteps; ++step) {
        line = line_from_onset(unbiased(found, scales, std::clamp(hurst, 0.0, kHighest)));
        hurst = (hurst + 1 + line->slope / 2) / 2;
    }
    return estimate(*line, found, std::clamp(1 + line->slope / 2, 0.0, 1.0));
}

}  // namespace groma
