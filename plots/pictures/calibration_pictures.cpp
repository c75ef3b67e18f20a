#include "plots/pictures/calibration_pictures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "common/base/counted.hpp"
#include "plots/gnuplot/log_axis.hpp"
#include "plots/gnuplot/quantity.hpp"
#include "plots/pictures/rate_picture.hpp"

namespace groma {

namespace {

const std::vector<RateFigure>& rate_figures() {
    static const std::vector<RateFigure> kFigures = {
        {"sent-rate", "packets sent per second", {"sent_pps"}, {}, Varied::size, number_label, 0, true},
        {"sent-bit-rate",
         "bits of payload sent per second",
         {"sent_bps"},
         {},
         Varied::size,
         number_label,
         0,
         true,
         true},
        {"logging", "packets sent per second, by logging", {"sent_pps"}, {}, Varied::logging, number_label, 0, true},
        {"rate-error", "error of the rate", {"rate_error"}, {}, Varied::size, number_label, 1e-7},
        {"lambda2",
         "lambda squared of the gaps (0.0001 and below on the lower edge)",
         {"lambda2"},
         {},
         Varied::distribution,
         number_label,
         1e-4},
        {"lateness",
         "lateness of departures",
         {"lateness_p50_ns", "lateness_p99_ns"},
         {"half of the packets", "99 %"},
         Varied::size,
         tick_label,
         1},
        {"gap-error",
         "error of the gaps",
         {"gap_error_p50_ns", "gap_error_p99_ns"},
         {"half of the gaps", "99 %"},
         Varied::size,
         tick_label,
         1},
    };
    return kFigures;
}

/// The share that did not arrive, for which zero is the best value: not logarithmic.
std::optional<Picture> loss_picture(const CalibrationResults& results) {
    double most = 0;
    double last = 0;
    double first = 0;
    Picture picture;
    const CalibrationSeries* before = nullptr;
    for (const CalibrationPoint& point : results.points) {
        const auto lost = point.figures.find("lost");
        const auto sent = point.figures.find("sent_packets");
        if (not differs_only_in(Varied::size, point.series, results.points.front().series) or
            lost == point.figures.end() or sent == point.figures.end() or sent->second.median <= 0) {
            continue;
        }
        if (before == nullptr or *before != point.series) {
            picture.curves.push_back(
                {series_name(Varied::size, point.series), picture.curves.size(), Stroke::solid, true, {{}}});
            before = &point.series;
        }
        const double share = lost->second.median / sent->second.median;
        picture.curves.back().pieces.front().push_back({point.rate_pps, share});
        most = std::max(most, share);
        first = first > 0 ? std::min(first, point.rate_pps) : point.rate_pps;
        last = std::max(last, point.rate_pps);
    }
    if (picture.curves.empty()) {
        return std::nullopt;
    }
    picture.stem = "loss";
    picture.title = "packets sent that did not arrive";
    picture.x_label = "packets asked for per second";
    picture.y_label = "share of the packets sent";
    picture.log_x = true;
    picture.x_range = {first / 1.15, last * 1.15};
    picture.x_ticks = logarithmic_ticks(picture.x_range, number_label);
    picture.y_range = {0, std::max(1.05 * most, 0.001)};
    return picture;
}

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
    picture.title = fmt::format("gaps, {}, {} packets/s, {}", density.series.distribution, density.rate_pps,
                                counted(static_cast<std::uint64_t>(density.series.size_bytes), "byte"));
    picture.x_label = axis_label("time between two departures", unit);
    picture.y_label = "share of the gaps in each bin";
    picture.x_range = {density.bins.front().low_ns * unit.factor, density.bins.back().high_ns * unit.factor};
    picture.y_range = {0, most > 0 ? 1.05 * most : 1};
    picture.curves = {std::move(asked), std::move(sent)};
    return picture;
}

/// Of each distribution at the rates nearest to 1000 and 10,000 packets a second.
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

}  // namespace

std::vector<Picture> calibration_pictures(const CalibrationResults& results) {
    std::vector<Picture> pictures;
    if (results.points.empty()) {
        return pictures;
    }
    for (const RateFigure& figure : rate_figures()) {
        if (auto picture = draw_against_rate(results, figure)) {
            pictures.push_back(*std::move(picture));
        }
    }
    if (auto picture = loss_picture(results)) {
        pictures.push_back(*std::move(picture));
    }
    for (Picture& picture : density_pictures(results.densities)) {
        pictures.push_back(std::move(picture));
    }
    for (Picture& picture : pictures) {
        picture.title = results.title + ": " + picture.title;
    }
    return pictures;
}

std::vector<std::pair<std::string, std::string>> calibration_kinds() {
    std::vector<std::pair<std::string, std::string>> kinds;
    for (const RateFigure& figure : rate_figures()) {
        kinds.emplace_back(figure.stem, figure.what);
    }
    kinds.emplace_back("loss", "packets sent that did not arrive");
    kinds.emplace_back("density", "gaps sent against gaps asked for, of each distribution");
    return kinds;
}

std::string calibration_kind_of(const Picture& picture) {
    return picture.stem.starts_with("density-") ? "density" : picture.stem;
}

}  // namespace groma
