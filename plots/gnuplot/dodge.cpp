#include "plots/gnuplot/dodge.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

namespace groma {

namespace {

// A share of the axis: ends of bars this far apart can be distinguished.
constexpr double kFarEnough = 0.012;
// A share of the distance between places: bars stay nearer to their place than to the next.
constexpr double kMostOfDistance = 0.6;

/// From a value on the axis to where it is drawn, and back.
struct Scale {
    bool logarithmic = false;

    [[nodiscard]] double at(double value) const { return logarithmic ? std::log(value) : value; }
    [[nodiscard]] double value(double at) const { return logarithmic ? std::exp(at) : at; }
    [[nodiscard]] bool can_hold(double value) const { return not logarithmic or value > 0; }
};

/// Where bars are; empty if no two curves have one at the same place.
std::set<double> places_of(const Picture& picture, const Scale& scale) {
    std::set<double> places;
    bool shared = false;
    for (const Curve& curve : picture.curves) {
        std::set<double> own;
        for (const BandPoint& bar : curve.bars) {
            if (scale.can_hold(bar.x)) {
                own.insert(scale.at(bar.x));
            }
        }
        for (const double place : own) {
            shared = not places.insert(place).second or shared;
        }
    }
    return shared ? places : std::set<double>();
}

double smallest_distance(const std::set<double>& places, double width) {
    double smallest = width;
    double before = *places.begin();
    for (const double place : places) {
        smallest = place > before ? std::min(smallest, place - before) : smallest;
        before = place;
    }
    return smallest;
}

void move(Curve& curve, const Scale& scale, double by) {
    const auto moved = [&](double x) { return scale.can_hold(x) ? scale.value(scale.at(x) + by) : x; };
    for (auto& piece : curve.pieces) {
        for (PicturePoint& point : piece) {
            point.x = moved(point.x);
        }
    }
    for (BandPoint& bar : curve.bars) {
        bar.x = moved(bar.x);
    }
}

}  // namespace

Picture dodged(Picture picture) {
    const Scale scale{picture.log_x and picture.x_range.low > 0};
    const std::set<double> places = places_of(picture, scale);
    if (places.empty()) {
        return picture;
    }
    const double width = scale.at(picture.x_range.high) - scale.at(picture.x_range.low);
    std::vector<Curve*> barred;
    for (Curve& curve : picture.curves) {
        if (not curve.bars.empty()) {
            barred.push_back(&curve);
        }
    }
    const auto count = static_cast<double>(barred.size());
    const double step = std::min(kFarEnough * width, kMostOfDistance * smallest_distance(places, width) / count);
    for (std::size_t i = 0; i < barred.size(); ++i) {
        move(*barred[i], scale, (static_cast<double>(i) - (count - 1) / 2) * step);
    }
    return picture;
}

}  // namespace groma
