// Repetitions of runs and their statistics: figures by name, runs grouped by what was varied.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/text/human.hpp"
#include "common/stats/fit/sample_statistics.hpp"

namespace groma {

enum class FigureUnit : std::uint8_t { number, share, packets_per_second, bits_per_second, nanoseconds };

/// A figure of a run that is summarised over repetitions; its name is that of the column it is from.
struct RepeatedFigure {
    std::string_view name;  ///< "delay_p99_ns"
    std::string_view what;  ///< "p99 of delay"
    FigureUnit unit;
    Interval range;  ///< of what is measured: of the true value, whatever the clocks make of it
};

/// In the order in which they are reported: the instrument's own first.
[[nodiscard]] std::span<const RepeatedFigure> repeated_figures();

/// "12.5 us", "1 kpps", "0.1 %": for people.
[[nodiscard]] std::string figure_text(FigureUnit unit, double value, int digits = kHumanDigits);

/// One run.
struct RepeatedRun {
    std::string name;                                    ///< its folder or file
    std::vector<std::string> values;                     ///< of the keys
    std::string left_out;                                ///< why it does not count; empty: it does
    std::map<std::string, double, std::less<>> figures;  ///< what is known, finite
};

/// All runs of a batch, or of some files.
struct Repetitions {
    std::string title;
    std::vector<std::string> keys;  ///< what runs differ in, besides the repetition: "rate", "size"
    std::vector<RepeatedRun> runs;
};

/// A figure over those runs of a group for which it is known.
struct GroupFigure {
    RepeatedFigure figure;
    std::vector<double> values;  ///< in the order of the runs
    double mean = 0;
    std::optional<double> deviation;        ///< from two values on
    std::optional<Interval> mean_interval;  ///< Student t
    double median = 0;
    std::optional<MedianInterval> median_interval;
    std::optional<double> of_sums;  ///< of a ratio: the sum of its numerators over that of its denominators
    double least = 0;
    double most = 0;
};

struct RepetitionGroup {
    std::vector<std::string> values;  ///< of the keys
    std::vector<std::string> runs;    ///< names of those that count
    std::vector<GroupFigure> figures;
};

struct LeftOutRun {
    std::string name;
    std::string reason;
};

struct RepetitionOptions {
    double confidence = 0.95;
    std::vector<std::string> figures;  ///< only these; empty: all
};

struct RepetitionSummary {
    std::string title;
    std::vector<std::string> keys;
    RepetitionOptions options;
    std::vector<RepetitionGroup> groups;  ///< in the order of their first runs
    std::vector<LeftOutRun> left_out;
};

/// Runs of the same values are a group.
[[nodiscard]] RepetitionSummary summarised(const Repetitions& repetitions, const RepetitionOptions& options);

/// "rate 1000pps, size 64"; "all runs" without keys.
[[nodiscard]] std::string group_name(const RepetitionSummary& summary, const RepetitionGroup& group);

/// A key's value as a number, in pps, bps, s, or bytes; empty if it is not a number, such as "udp".
[[nodiscard]] std::optional<double> key_number(std::string_view value);

}  // namespace groma
