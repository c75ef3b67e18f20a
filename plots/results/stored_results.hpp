// The decoder's results as values, read from its SQLite file (docs/reference/sqlite-schema.md). Unknown values are
// absent; all others are finite.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "common/model/distributions/quantile.hpp"
#include "plots/results/over_time.hpp"

namespace groma {

/// Values from `low` up to and including `high`, in nanoseconds.
struct HistogramBin {
    double low = 0;
    double high = 0;
    double count = 0;
    bool operator==(const HistogramBin&) const = default;
};

/// Packets in the order of sending, each lost (bad) or not (good), that another one followed:
/// docs/reference/metrics.md.
struct LossTransitions {
    double good_followed = 0;
    double good_to_bad = 0;
    double bad_followed = 0;
    double bad_to_good = 0;

    /// The Gilbert model's probabilities: that a loss period begins after a good packet; that it ends after a bad one.
    [[nodiscard]] std::optional<double> p() const;
    [[nodiscard]] std::optional<double> r() const;
    [[nodiscard]] LossTransitions operator+(const LossTransitions& other) const;
};

/// Packets that are n-reordered [RFC 4737, 5.3].
struct NReordered {
    double n = 0;
    double packets = 0;
};

/// A flow at one of its receivers.
struct FlowResults {
    std::int64_t flow = 0;
    std::int64_t receiver = 1;                                    ///< its number among the flow's receivers
    std::string name;                                             ///< for a legend: safe to show, cut if long
    std::string model;                                            ///< text of the gaps asked for: "exp:1000pps"
    std::map<std::string, std::vector<HistogramBin>> histograms;  ///< by kind ("delay", "sent_gap", ...), rising
    std::vector<CdfPoint> asked_gaps;                             ///< rising; empty when the family has none
    std::optional<double> lambda2;                                ///< of the gaps sent against those asked for
    bool on_off = false;                                          ///< some of its gaps are OFF periods
    std::optional<LossTransitions> losses;
    std::vector<NReordered> n_reordered;  ///< by n, rising
    double arrived = 0;                   ///< packets, without further copies; 0: unknown, or none is reordered
};

/// What a curve of a picture stands for.
enum class CurveOf : std::uint8_t { flow, run };

struct RunResults {
    std::int64_t id = 0;
    std::string run_id;
    std::string experiment;
    double interval_s = 1;
    std::string clock;                     ///< "one clock", "probed", "relative", "interface", ...
    std::optional<double> clock_bound_ns;  ///< the bound of the clocks' disagreement
    std::optional<double> lambda2;         ///< of all flows together
    CurveOf one = CurveOf::flow;           ///< `run`: `flows` are totals of compared runs
    std::vector<FlowResults> flows;
    /// Whether delays are less the smallest of their flow.
    [[nodiscard]] bool has_relative_delays() const { return clock == "relative" or clock == "interface"; }
    std::vector<FigureLines> over_time;  ///< of each of series_measures(); empty before read_over_time()
    DelayLoss delay_loss;                ///< likewise
};

/// "flow", "run"; for a `count` other than 1 "flows", "runs".
[[nodiscard]] std::string noun(const RunResults& run);

/// All runs of a file, without figures over time. Throws: SystemError when there is no such file, RunError when it is
/// not the decoder's.
[[nodiscard]] std::vector<RunResults> read_results(const std::filesystem::path& file);

}  // namespace groma
