#include "plots/pictures/density_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "plots/gnuplot/quantity.hpp"

namespace groma {

namespace {

constexpr std::array kShownRates{1'000.0, 10'000.0};

/// Of the densities of one distribution, those at the shown rates; each once.
std::vector<const GapDensity*> shown(const std::vector<GapDensity>& densities, const CalibrationSeries& series) {
    std::vector<const GapDensity*> chosen;
    for (const double rate : kShownRates) {
        const GapDensity* nearest = nullptr;
        const auto distance = [rate](const GapDensity& one) { return std::abs(std::log(one.rate_pps / rate)); };
        for (const GapDensity& density : densities) {
            if (density.series == series and (nearest == nullptr or distance(density) < distance(*nearest))) {
                nearest = &density;
            }
        }
        if (nearest != nullptr and std::ranges::find(chosen, nearest) == chosen.end()) {
            chosen.push_back(nearest);
        }
    }
    return chosen;
}

/// A step over each bin.
template <typename Share>
Curve steps(const GapDensity& density, double factor, Share share) {
    Curve curve;
    curve.marked = false;
    std::vector<PicturePoint>& points = curve.pieces.emplace_back();
    for (const GapDensity::Bin& bin : density.bins) {
        points.push_back({bin.low_ns * factor, share(bin)});
        points.push_back({bin.high_ns * factor, share(bin)});
    }
    return curve;
}

Picture picture_of(GapDensity density) {
    // Below the bins of equal width, from 0 on, there may be a single wide one: it would dwarf them.
    if (density.bins.size() > 1 and
        density.bins[0].high_ns - density.bins[0].low_ns > 1.5 * (density.bins[1].high_ns - density.bins[1].low_ns)) {
        density.bins.erase(density.bins.begin());
    }
    const AxisUnit unit = unit_for(Quantity::nanoseconds, density.bins.back().high_ns);
    Curve asked = steps(density, unit.factor, [](const auto& bin) { return bin.asked_share; });
    asked.name = "asked";
    asked.stroke = Stroke::wide;
    Curve sent = steps(density, unit.factor, [&](const auto& bin) { return bin.count / density.gaps; });
    sent.name = fmt::format("sent, {} gaps", density.gaps);
    double most = 0;
    for (const GapDensity::Bin& bin : density.bins) {
        most = std::max({most, bin.asked_share, bin.count / density.gaps});
    }
    Picture picture;
    picture.stem = fmt::format("density-{}-{}pps", density.series.distribution, density.rate_pps);
    picture.title = fmt::format("gaps, {}, {} packets/s, {} bytes", density.series.distribution, density.rate_pps,
                                density.series.size_bytes);
    picture.x_label = axis_label("time between two departures", unit);
    picture.y_label = "share of the gaps in each bin";
    picture.x_range = {density.bins.front().low_ns * unit.factor, density.bins.back().high_ns * unit.factor};
    picture.y_range = {0, most > 0 ? 1.05 * most : 1};
    picture.curves = {std::move(asked), std::move(sent)};
    return picture;
}

}  // namespace

std::vector<Picture> density_pictures(const std::vector<GapDensity>& densities) {
    std::vector<Picture> pictures;
    std::vector<CalibrationSeries> done;
    for (const GapDensity& density : densities) {
        if (std::ranges::find(done, density.series) != done.end()) {
            continue;
        }
        done.push_back(density.series);
        for (const GapDensity* one : shown(densities, density.series)) {
            pictures.push_back(picture_of(*one));
        }
    }
    return pictures;
}

}  // namespace groma
