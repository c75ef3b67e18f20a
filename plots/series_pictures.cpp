#include "plots/series_pictures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace groma {

namespace {

constexpr const char* kSender = "the sender's log";
constexpr const char* kReceiver = "the receiver's log";
constexpr const char* kBoth = "the logs of both sides";

std::optional<double> sent_rate(const SeriesPoint& point, double interval_s) {
    return point.sent_packets ? std::optional(*point.sent_packets / interval_s) : std::nullopt;
}

/// Extremes of what a picture shows, in base units.
struct Extent {
    double low = std::numeric_limits<double>::max();
    double high = std::numeric_limits<double>::lowest();

    void include(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    [[nodiscard]] double magnitude() const { return std::max(std::abs(low), std::abs(high)); }
};

/// One value of a measure.
struct Sample {
    double at_s = 0;
    std::optional<double> value;
    bool connected = true;  ///< with the sample before it, if both have a value
};

double middle_of(const SeriesPoint& point, const RunResults& run) {
    return point.start_s + run.interval_s / 2;
}

std::vector<Sample> samples_of(const FlowResults& flow, const RunResults& run, const SeriesMeasure& measure) {
    std::vector<Sample> samples;
    if (measure.of_connection != nullptr) {
        for (const ConnectionPoint& point : flow.connection) {
            samples.push_back({point.at_s, measure.of_connection(point), true});
        }
        return samples;
    }
    double last_start = 0;
    for (const SeriesPoint& point : flow.series) {
        const bool next = point.start_s - last_start < 1.5 * run.interval_s;
        samples.push_back({middle_of(point, run), measure.value(point, run.interval_s), next});
        last_start = point.start_s;
    }
    return samples;
}

/// The flow's values as lines, broken where an interval is missing or has no value.
std::vector<std::vector<PicturePoint>> pieces_of(const FlowResults& flow, const RunResults& run,
                                                 const SeriesMeasure& measure) {
    std::vector<std::vector<PicturePoint>> pieces;
    bool connected = false;
    for (const Sample& sample : samples_of(flow, run, measure)) {
        if (not sample.value) {
            connected = false;
            continue;
        }
        if (not connected or not sample.connected) {
            pieces.emplace_back();
        }
        pieces.back().push_back({sample.at_s, *sample.value});
        connected = true;
    }
    return pieces;
}

void add_curves(Picture& picture, const RunResults& run, const SeriesMeasure& measure) {
    for (std::size_t i = 0; i < run.flows.size(); ++i) {
        Curve curve{run.flows[i].name, i, Stroke::solid, true, pieces_of(run.flows[i], run, measure)};
        if (not curve.pieces.empty()) {
            picture.curves.push_back(std::move(curve));
        }
    }
}

/// An interval without neighbours is an area as wide as itself.
void widen_points(Band& band, const RunResults& run) {
    for (auto& piece : band.pieces) {
        if (piece.size() == 1) {
            const BandPoint point = piece.front();
            piece = {{point.x - run.interval_s / 2, point.low, point.high},
                     {point.x + run.interval_s / 2, point.low, point.high}};
        }
    }
}

/// The span from smallest to largest value of each interval, behind the mean of a single flow.
void add_band(Picture& picture, const RunResults& run, const SeriesMeasure& measure) {
    Band band{"smallest to largest", {}};
    for (const SeriesPoint& point : run.flows.front().series) {
        const auto low = measure.low(point);
        const auto high = measure.high(point);
        if (not low or not high) {
            continue;
        }
        const double x = middle_of(point, run);
        if (band.pieces.empty() or x - band.pieces.back().back().x > 1.5 * run.interval_s) {
            band.pieces.emplace_back();
        }
        band.pieces.back().push_back({x, *low, *high});
    }
    if (not band.pieces.empty()) {
        widen_points(band, run);
        picture.bands.push_back(std::move(band));
    }
}

/// The value that `fraction` of the sorted values do not exceed (nearest rank).
double quantile(const std::vector<double>& sorted, double fraction) {
    const double rank = std::ceil(fraction * static_cast<double>(sorted.size()));
    return sorted[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

/// For many flows: how their values are spread in each interval.
void add_spread(Picture& picture, const RunResults& run, const SeriesMeasure& measure) {
    std::map<std::int64_t, std::vector<double>> intervals;
    for (const FlowResults& flow : run.flows) {
        for (const Sample& sample : samples_of(flow, run, measure)) {
            if (sample.value) {
                const auto index = static_cast<std::int64_t>(std::floor(sample.at_s / run.interval_s));
                intervals[index].push_back(*sample.value);
            }
        }
    }
    if (intervals.empty()) {
        return;
    }
    Band band{"10 % to 90 % of the " + noun(run, 2), {{}}, 0, false};
    Curve median{"median " + noun(run), 0, Stroke::solid, true, {{}}};
    Curve lowest{"lowest " + noun(run), 2, Stroke::thin, false, {{}}};
    Curve highest{"highest " + noun(run), 1, Stroke::thin, false, {{}}};
    std::int64_t last = intervals.begin()->first;
    for (auto& [index, values] : intervals) {
        if (measure.of_connection == nullptr and index > last + 1) {
            for (Curve* curve : {&median, &lowest, &highest}) {
                curve->pieces.emplace_back();
            }
            band.pieces.emplace_back();
        }
        last = index;
        std::ranges::sort(values);
        const double x = (static_cast<double>(index) + 0.5) * run.interval_s;
        band.pieces.back().push_back({x, quantile(values, 0.1), quantile(values, 0.9)});
        median.pieces.back().push_back({x, quantile(values, 0.5)});
        lowest.pieces.back().push_back({x, values.front()});
        highest.pieces.back().push_back({x, values.back()});
    }
    widen_points(band, run);
    picture.bands = {band};
    picture.curves = {highest, median, lowest};
}

struct Extents {
    Extent x;
    Extent y;
};

Extents extents_of(const Picture& picture) {
    Extents extents;
    for (const Band& band : picture.bands) {
        for (const auto& piece : band.pieces) {
            for (const BandPoint& point : piece) {
                extents.x.include(point.x);
                extents.y.include(point.low);
                extents.y.include(point.high);
            }
        }
    }
    for (const Curve& curve : picture.curves) {
        for (const auto& piece : curve.pieces) {
            for (const PicturePoint& point : piece) {
                extents.x.include(point.x);
                extents.y.include(point.y);
            }
        }
    }
    return extents;
}

void scale(Picture& picture, double x_factor, double y_factor) {
    for (Band& band : picture.bands) {
        for (auto& piece : band.pieces) {
            for (BandPoint& point : piece) {
                point = {point.x * x_factor, point.low * y_factor, point.high * y_factor};
            }
        }
    }
    for (Curve& curve : picture.curves) {
        for (auto& piece : curve.pieces) {
            for (PicturePoint& point : piece) {
                point = {point.x * x_factor, point.y * y_factor};
            }
        }
    }
}

void fit_axes(Picture& picture, const RunResults& run, const SeriesMeasure& measure) {
    const Extents extents = extents_of(picture);
    const double end_s = extents.x.high + run.interval_s / 2;
    const AxisUnit time = unit_for(Quantity::seconds, end_s);
    const AxisUnit unit = unit_for(measure.quantity, extents.y.magnitude());
    scale(picture, time.factor, unit.factor);
    picture.x_label = axis_label("time since the start of the run", time);
    picture.y_label = axis_label(measure.what, unit);
    picture.x_range = {std::min(0.0, extents.x.low * time.factor), end_s * time.factor};
    const double low = extents.y.low * unit.factor;
    const double high = extents.y.high * unit.factor;
    // Counts and rates are seen against nothing; only delays are worth a closer look far from zero.
    if (measure.quantity == Quantity::nanoseconds) {
        picture.y_range = roomy_range(low, high);
    } else {
        picture.y_range = {std::min(low, 0.0), high > 0 ? 1.05 * high : 1};
    }
}

}  // namespace

const std::vector<SeriesMeasure>& series_measures() {
    static const std::vector<SeriesMeasure> kMeasures = {
        {"throughput", "throughput received (payload)", Quantity::bits_per_second, kReceiver,
         [](const SeriesPoint& p, double) { return p.throughput_bps; }},
        {"packet-rate", "packet rate received", Quantity::packets_per_second, kReceiver,
         [](const SeriesPoint& p, double) { return p.packet_rate_pps; }},
        {"sent-rate", "packet rate sent", Quantity::packets_per_second, kSender, sent_rate},
        {"delay", "one-way delay, mean", Quantity::nanoseconds, kReceiver,
         [](const SeriesPoint& p, double) { return p.delay_mean_ns; },
         [](const SeriesPoint& p) { return p.delay_min_ns; }, [](const SeriesPoint& p) { return p.delay_max_ns; }},
        {"jitter", "jitter, mean", Quantity::nanoseconds, kReceiver,
         [](const SeriesPoint& p, double) { return p.jitter_ns; }},
        {"loss", "packets lost in an interval", Quantity::packets, kBoth,
         [](const SeriesPoint& p, double) { return p.lost; }},
        {"rtt", "round-trip time, mean", Quantity::nanoseconds, nullptr,
         [](const SeriesPoint& p, double) { return p.rtt_mean_ns; }, [](const SeriesPoint& p) { return p.rtt_min_ns; },
         [](const SeriesPoint& p) { return p.rtt_max_ns; }},
        {.stem = "connection-rtt",
         .what = "smoothed round-trip time of the connection",
         .quantity = Quantity::nanoseconds,
         .of_connection = [](const ConnectionPoint& p) { return p.rtt_ns; }},
        {.stem = "cwnd",
         .what = "congestion window",
         .quantity = Quantity::bytes,
         .of_connection = [](const ConnectionPoint& p) { return p.cwnd_bytes; }},
        {.stem = "retransmissions",
         .what = "retransmitted since the start",
         .quantity = Quantity::segments,
         .of_connection = [](const ConnectionPoint& p) { return p.retransmitted; }},
    };
    return kMeasures;
}

std::optional<Picture> draw_series(const RunResults& run, const SeriesMeasure& measure) {
    Picture picture;
    picture.stem = measure.stem;
    picture.title = measure.what;
    if (run.flows.size() > kMostCurves) {
        add_spread(picture, run, measure);
    } else {
        add_curves(picture, run, measure);
    }
    if (picture.curves.empty()) {
        return std::nullopt;
    }
    if (run.flows.size() == 1 and measure.low != nullptr) {
        add_band(picture, run, measure);
    }
    fit_axes(picture, run, measure);
    return picture;
}

}  // namespace groma
