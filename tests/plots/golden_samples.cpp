#include "tests/plots/golden_samples.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tests/plots/memory_series.hpp"

namespace groma {

namespace {

constexpr std::size_t kIntervals = 6;

SeriesPoint interval_of(std::size_t flow, std::size_t i) {
    const auto f = static_cast<double>(flow + 1);
    const auto k = static_cast<double>(i);
    SeriesPoint point;
    point.start_s = k;
    point.sent_packets = 100;
    point.received_packets = 100 - k;
    point.throughput_bps = 8000 * f * (100 - k);
    point.packet_rate_pps = 100 - k;
    point.sent_rate_pps = 100;
    point.delay_mean_ns = 1e6 * f + 1e5 * k;
    point.delay_min_ns = 5e5 * f;
    point.delay_max_ns = 3e6 * f;
    point.jitter_ns = 1e4 * (1 + k) * f;
    point.lost = k;
    point.rtt_mean_ns = 2e6 * f + 1e5 * k;
    point.rtt_min_ns = 1e6 * f;
    point.rtt_max_ns = 5e6 * f;
    return point;
}

ConnectionPoint sample_of(std::size_t flow, std::size_t i) {
    const auto k = static_cast<double>(i + flow);
    return {0.3 + static_cast<double>(i), 4e5 + 1e4 * k, 14'480 * (k + 1), std::floor(static_cast<double>(i) / 2)};
}

/// Bins of equal width with as many values each as a triangle is high.
std::vector<HistogramBin> triangle(double low, double width) {
    std::vector<HistogramBin> bins;
    bins.reserve(20);
    for (int i = 0; i < 20; ++i) {
        bins.push_back({low + width * i, low + width * (i + 1) - 1, static_cast<double>(i < 10 ? i + 1 : 20 - i)});
    }
    return bins;
}

FlowResults flow_of(std::size_t number) {
    FlowResults flow;
    flow.flow = static_cast<std::int64_t>(number + 1);
    flow.name = fmt::format("flow {}", number + 1);
    const double shift = 1e5 * static_cast<double>(number % 7);
    flow.histograms["delay"] = triangle(1e6 + shift, 1e5);
    flow.histograms["sent_gap"] = triangle(1e5, 1e5);
    flow.histograms["arrival_gap"] = triangle(2e5 + shift, 1e5);
    flow.histograms["lateness"] = triangle(100, 500);
    flow.histograms["rtt"] = triangle(2e6 + shift, 2e5);
    flow.histograms["loss_period"] = {{1, 1, 8}, {2, 2, 4}, {3, 3, 2}, {5, 5, 1}};
    flow.histograms["loss_distance"] = {{1, 1, 10}, {20, 20, 6}, {64, 64, 4}, {200, 201, 4}};
    flow.histograms["reordering_extent"] = {{1, 1, 5}, {2, 2, 3}, {7, 7, 1}};
    flow.losses = LossTransitions{1000, 15, 25, 15};
    flow.n_reordered = {{1, 9}, {2, 4}, {3, 1}};
    flow.arrived = 1000;
    flow.lambda2 = 0.0125;
    for (int i = 0; i <= 20; ++i) {
        flow.asked_gaps.push_back({1e5 + 1e5 * i, i / 20.0});
    }
    return flow;
}

FittedValues values_of(const char* text, double width) {
    FittedValues values;
    values.families = {{text, "exponential", 0.002, 0.01, 1.0}};
    values.white_noise = 0.02;
    for (int i = 1; i <= 10; ++i) {
        values.quantiles.push_back({i / 11.0, 1.1 * width * i, width * i});
        values.bins.push_back({width * (i - 1), width * i, 20.0 - i, 15.0});
        values.autocorrelation.push_back({static_cast<double>(i), 0.5 / i, {}, {}});
    }
    return values;
}

void add_points(CalibrationResults& results, const CalibrationSeries& series) {
    for (const double rate : {1000.0, 10'000.0, 100'000.0}) {
        CalibrationPoint point{series, rate, {}};
        const double sent = rate * (1 - 1e-6 * rate);
        point.figures["sent_pps"] = {sent, 0.99 * sent, sent};
        point.figures["sent_bps"] = {8 * sent * static_cast<double>(series.size_bytes), 0, 0};
        point.figures["rate_error"] = {1e-6 * rate, 0.5e-6 * rate, 2e-6 * rate};
        point.figures["lambda2"] = {0.01, 0.005, 0.02};
        point.figures["lost"] = {10, 5, 20};
        point.figures["sent_packets"] = {10'000, 10'000, 10'000};
        for (const char* figure : {"lateness", "gap_error"}) {
            point.figures[fmt::format("{}_p50_ns", figure)] = {500, 400, 600};
            point.figures[fmt::format("{}_p99_ns", figure)] = {5000, 4000, 6000};
        }
        results.points.push_back(std::move(point));
    }
}

}  // namespace

RunResults golden_run(std::size_t flows) {
    RunResults run;
    run.run_id = "1a2b3c4d";
    run.experiment = "golden";
    run.clock = "one clock";
    run.lambda2 = 0.0125;
    IntervalRows intervals(flows);
    SampleRows samples(flows);
    for (std::size_t flow = 0; flow < flows; ++flow) {
        run.flows.push_back(flow_of(flow));
        for (std::size_t i = 0; i < kIntervals; ++i) {
            intervals[flow].push_back(interval_of(flow, i));
            samples[flow].push_back(sample_of(flow, i));
        }
    }
    read_over_time(run, MemorySeries(std::move(intervals), std::move(samples)),
                   [](const std::string&) { return true; });
    return run;
}

std::vector<FittedTraffic> golden_fit() {
    FittedTraffic traffic;
    traffic.id = 1;
    traffic.name = "a.pcap";
    traffic.packets = 1000;
    traffic.values["gap"] = values_of("exp:1000pps", 1e5);
    traffic.values["size"] = values_of("exp:512", 100);
    for (int octave = 1; octave <= 8; ++octave) {
        const double scale = 0.01 * std::pow(2, octave);
        traffic.dispersion.push_back({scale, 1 + scale, {}, {}});
        traffic.variance_time.push_back({scale, 100 * std::pow(scale, -0.4), {}, {}});
        traffic.wavelet.push_back({static_cast<double>(octave), 3 + 0.6 * octave, 2 + 0.6 * octave, 4 + 0.6 * octave});
        traffic.octave_scales.emplace_back(octave, scale);
    }
    traffic.hurst["variance-time"] = {0.8, 0.02, 1.28};
    traffic.hurst["wavelet"] = {0.8, 0.04, 1.28};
    return {traffic};
}

BatchResults golden_batch() {
    BatchResults results;
    results.title = "golden";
    results.keys = {"transport", "rate"};
    for (const char* transport : {"udp", "tcp"}) {
        for (const double rate : {1000.0, 2000.0, 4000.0}) {
            BatchGroup group;
            group.keys["rate"] = {fmt::format("{}pps", rate), rate};
            group.keys["transport"] = {transport, {}};
            const double delay = rate * (transport[0] == 'u' ? 1000 : 2000);
            group.figures["delay_mean_ns"] = {1.1 * delay, 0.9 * delay, 1.3 * delay, {delay, 1.1 * delay, 1.2 * delay}};
            results.groups.push_back(std::move(group));
        }
    }
    return results;
}

CalibrationResults golden_calibration() {
    CalibrationResults results;
    results.title = "alpha to beta";
    add_points(results, {"exp", 64, "local"});
    add_points(results, {"exp", 1472, "local"});
    add_points(results, {"exp", 64, "none"});
    add_points(results, {"const", 64, "local"});
    GapDensity density{{"exp", 64, "local"}, 1000, {}, 100};
    for (int i = 0; i < 10; ++i) {
        density.bins.push_back({1e5 * i, 1e5 * (i + 1), 20.0 - i, 0.1});
    }
    results.densities = {density};
    return results;
}

}  // namespace groma
