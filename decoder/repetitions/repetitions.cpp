#include "decoder/repetitions/repetitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "common/base/errors.hpp"
#include "common/model/text/human.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

constexpr std::string_view kLossRatio = "loss_ratio";
constexpr int kMoreDigitsOfNumbers = 2;  ///< counts of packets

constexpr std::array kFigures = {
    RepeatedFigure{"scheduled_pps", "asked packet rate", FigureUnit::packets_per_second, kNotNegative},
    RepeatedFigure{"sent_pps", "sent packet rate", FigureUnit::packets_per_second, kNotNegative},
    RepeatedFigure{"rate_error", "rate error", FigureUnit::share, kNotNegative},
    RepeatedFigure{"lateness_p99_ns", "p99 of lateness", FigureUnit::nanoseconds, kNotNegative},
    RepeatedFigure{"lambda2", "lambda squared", FigureUnit::number, kAnyNumber},
    RepeatedFigure{"sent_packets", "packets sent", FigureUnit::number, kNotNegative},
    RepeatedFigure{"received_packets", "packets received", FigureUnit::number, kNotNegative},
    RepeatedFigure{"lost", "packets lost", FigureUnit::number, kNotNegative},
    RepeatedFigure{kLossRatio, "share lost", FigureUnit::share, kShare},
    RepeatedFigure{"duplicates", "duplicates", FigureUnit::number, kNotNegative},
    RepeatedFigure{"reordered", "reordered", FigureUnit::number, kNotNegative},
    RepeatedFigure{"throughput_bps", "throughput", FigureUnit::bits_per_second, kNotNegative},
    RepeatedFigure{"delay_mean_ns", "mean delay", FigureUnit::nanoseconds, kNotNegative},
    RepeatedFigure{"delay_p50_ns", "p50 of delay", FigureUnit::nanoseconds, kNotNegative},
    RepeatedFigure{"delay_p99_ns", "p99 of delay", FigureUnit::nanoseconds, kNotNegative},
    RepeatedFigure{"delay_max_ns", "largest delay", FigureUnit::nanoseconds, kNotNegative},
    RepeatedFigure{"jitter_ditg_ns", "jitter, D-ITG", FigureUnit::nanoseconds, kNotNegative},
};

GroupFigure statistics_of(const RepeatedFigure& figure, std::vector<double> values, const RepetitionOptions& options) {
    GroupFigure found{.figure = figure,
                      .values = std::move(values),
                      .mean = 0,
                      .deviation = {},
                      .mean_interval = {},
                      .median = 0,
                      .median_interval = {},
                      .of_sums = {},
                      .least = 0,
                      .most = 0};
    found.mean = mean_of(found.values);
    found.deviation = deviation_of(found.values);
    found.mean_interval = student_interval(found.values, options.confidence, figure.range);
    found.median = median_of(found.values);
    found.median_interval = median_interval(found.values, options.confidence);
    const auto [least, most] = std::ranges::minmax(found.values);
    found.least = least;
    found.most = most;
    return found;
}

bool is_wanted(const RepeatedFigure& figure, const RepetitionOptions& options) {
    return options.figures.empty() or std::ranges::find(options.figures, figure.name) != options.figures.end();
}

/// Of the runs for which both are known.
std::optional<double> ratio_of_sums(const std::vector<const RepeatedRun*>& runs, std::string_view part,
                                    std::string_view whole) {
    double parts = 0;
    double wholes = 0;
    for (const RepeatedRun* run : runs) {
        const auto some = run->figures.find(part);
        const auto all = run->figures.find(whole);
        if (some != run->figures.end() and all != run->figures.end()) {
            parts += some->second;
            wholes += all->second;
        }
    }
    return wholes > 0 ? std::optional(parts / wholes) : std::nullopt;
}

std::vector<GroupFigure> figures_of(const std::vector<const RepeatedRun*>& runs, const RepetitionOptions& options) {
    std::vector<GroupFigure> figures;
    for (const RepeatedFigure& figure : kFigures) {
        std::vector<double> values;
        for (const RepeatedRun* run : runs) {
            if (const auto found = run->figures.find(figure.name); found != run->figures.end()) {
                values.push_back(found->second);
            }
        }
        if (not values.empty() and is_wanted(figure, options)) {
            figures.push_back(statistics_of(figure, std::move(values), options));
            if (figure.name == kLossRatio) {
                figures.back().of_sums = ratio_of_sums(runs, "lost", "due_packets");
            }
        }
    }
    return figures;
}

template <typename Parse>
std::optional<double> parsed(const Parse& parse) {
    try {
        return parse();
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

}  // namespace

std::span<const RepeatedFigure> repeated_figures() {
    return kFigures;
}

std::string figure_text(FigureUnit unit, double value, int digits) {
    switch (unit) {
        case FigureUnit::share:
            return significant(100 * value, digits) + " %";
        case FigureUnit::packets_per_second:
            return exact_rate(value, digits);
        case FigureUnit::bits_per_second:
            return exact_bits(value, digits);
        case FigureUnit::nanoseconds:
            return exact_time(value, digits);
        case FigureUnit::number:
            break;
    }
    return significant(value, digits + kMoreDigitsOfNumbers);
}

RepetitionSummary summarised(const Repetitions& repetitions, const RepetitionOptions& options) {
    RepetitionSummary summary{repetitions.title, repetitions.keys, options, {}, {}};
    std::map<std::vector<std::string>, std::size_t> places;
    std::vector<std::vector<const RepeatedRun*>> members;
    for (const RepeatedRun& run : repetitions.runs) {
        const auto [place, is_new] = places.emplace(run.values, summary.groups.size());
        if (is_new) {
            summary.groups.push_back({run.values, {}, {}});
            members.emplace_back();
        }
        if (not run.left_out.empty()) {
            summary.left_out.push_back({run.name, run.left_out});
            continue;
        }
        summary.groups[place->second].runs.push_back(run.name);
        members[place->second].push_back(&run);
    }
    for (std::size_t i = 0; i < members.size(); ++i) {
        summary.groups[i].figures = figures_of(members[i], options);
    }
    return summary;
}

std::string group_name(const RepetitionSummary& summary, const RepetitionGroup& group) {
    std::string name;
    for (std::size_t i = 0; i < summary.keys.size(); ++i) {
        name += (i > 0 ? ", " : "") + summary.keys[i] + " " + group.values[i];
    }
    return name.empty() ? "all runs" : name;
}

std::optional<double> key_number(std::string_view value) {
    if (const auto number = parsed([&] { return parse_number(value); })) {
        return number;
    }
    if (const auto rate = parsed([&] {
            const Rate found = parse_rate(value);
            const auto* packets = std::get_if<PacketRate>(&found);
            return packets != nullptr ? packets->pps : std::get<BitRate>(found).bps;
        })) {
        return rate;
    }
    if (const auto span = parsed([&] { return to_seconds(parse_duration(value)); })) {
        return span;
    }
    return parsed([&] { return static_cast<double>(parse_bytes(value).count); });
}

}  // namespace groma
