#include "decoder/repetitions/repetition_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/table.hpp"
#include "common/json/json_text.hpp"
#include "common/model/text/human.hpp"
#include "decoder/files/csv_report.hpp"
#include "decoder/files/json_parts.hpp"

namespace groma {

namespace {

constexpr const char* kUnknown = "-";
constexpr int kDigitsOfDouble = 15;

/// With as many digits as tell its ends apart.
std::string interval_text(FigureUnit unit, const std::optional<Interval>& interval) {
    if (not interval) {
        return kUnknown;
    }
    int digits = kHumanDigits;
    while (interval->low != interval->high and digits < kDigitsOfDouble and
           figure_text(unit, interval->low, digits) == figure_text(unit, interval->high, digits)) {
        ++digits;
    }
    return figure_text(unit, interval->low, digits) + " to " + figure_text(unit, interval->high, digits);
}

std::optional<Interval> interval_of(const std::optional<MedianInterval>& median) {
    return median ? std::optional(median->interval) : std::nullopt;
}

std::string percent(double share) {
    return significant(100 * share) + " %";
}

/// What the intervals of the group's medians cover: with few runs less than was asked for.
std::string median_coverage(const RepetitionSummary& summary, const RepetitionGroup& group) {
    double least = summary.options.confidence;
    double most = 0;
    for (const GroupFigure& figure : group.figures) {
        if (const auto& interval = figure.median_interval) {
            least = std::min(least, interval->coverage);
            most = std::max(most, interval->coverage);
        }
    }
    return least < most ? percent(least) + " to " + percent(most) : percent(least);
}

std::string group_table(const RepetitionSummary& summary, const RepetitionGroup& group) {
    const std::string confidence = percent(summary.options.confidence);
    Table table({{"figure", Align::left},
                 {"runs"},
                 {"mean"},
                 {"sd"},
                 {"mean, " + confidence, Align::left},
                 {"median"},
                 {"median, " + median_coverage(summary, group), Align::left},
                 {"smallest"},
                 {"largest"}});
    for (const GroupFigure& figure : group.figures) {
        const FigureUnit unit = figure.figure.unit;
        table.add_row({std::string(figure.figure.what), std::to_string(figure.values.size()),
                       figure_text(unit, figure.mean),
                       figure.deviation ? figure_text(unit, *figure.deviation) : kUnknown,
                       interval_text(unit, figure.mean_interval), figure_text(unit, figure.median),
                       interval_text(unit, interval_of(figure.median_interval)), figure_text(unit, figure.least),
                       figure_text(unit, figure.most)});
    }
    std::string text = table.to_string(2);
    for (const GroupFigure& figure : group.figures) {
        if (figure.of_sums) {
            text += fmt::format("  {}, of the packets of all runs together: {}\n", figure.figure.what,
                                figure_text(figure.figure.unit, *figure.of_sums));
        }
    }
    return text;
}

std::string method_text(const RepetitionSummary& summary) {
    return fmt::format(
        "intervals of {}: of the mean by Student's t, on a logarithmic scale where all runs are above 0 (of lambda "
        "squared never); of the median by order statistics\n",
        percent(summary.options.confidence));
}

/// What intervals of a median cover in groups of too few runs.
std::string caution(const RepetitionSummary& summary) {
    std::map<std::size_t, double> coverages;
    for (const RepetitionGroup& group : summary.groups) {
        for (const GroupFigure& figure : group.figures) {
            if (const auto& it = figure.median_interval; it and it->coverage < summary.options.confidence) {
                coverages[figure.values.size()] = it->coverage;
            }
        }
    }
    std::string text;
    for (const auto& [runs, coverage] : coverages) {
        text += fmt::format("{}{} of {} runs", text.empty() ? "" : ", ", percent(coverage), runs);
    }
    return text.empty()
               ? text
               : "with so few runs an interval of the median is from the smallest to the largest, and covers " + text +
                     '\n';
}

Json interval_json(const std::optional<Interval>& interval) {
    return interval ? Json{{"low", interval->low}, {"high", interval->high}} : Json(nullptr);
}

Json median_interval_json(const std::optional<MedianInterval>& median) {
    Json json = interval_json(interval_of(median));
    if (median) {
        json["coverage"] = median->coverage;
    }
    return json;
}

Json group_json(const RepetitionSummary& summary, const RepetitionGroup& group) {
    Json json{{"keys", Json::object()}, {"runs", group.runs}, {"figures", Json::object()}};
    for (std::size_t i = 0; i < summary.keys.size(); ++i) {
        json["keys"][summary.keys[i]] = group.values[i];
    }
    for (const GroupFigure& figure : group.figures) {
        json["figures"][std::string(figure.figure.name)] = {
            {"count", figure.values.size()},
            {"mean", figure.mean},
            {"sd", or_null(figure.deviation)},
            {"mean_interval", interval_json(figure.mean_interval)},
            {"median", figure.median},
            {"median_interval", median_interval_json(figure.median_interval)},
            {"of_sums", or_null(figure.of_sums)},
            {"min", figure.least},
            {"max", figure.most},
            {"values", figure.values}};
    }
    return json;
}

std::string csv_number(const std::optional<double>& value) {
    return value ? fmt::format("{}", *value) : std::string();
}

std::optional<double> low(const std::optional<Interval>& interval) {
    return interval ? std::optional(interval->low) : std::nullopt;
}

std::optional<double> high(const std::optional<Interval>& interval) {
    return interval ? std::optional(interval->high) : std::nullopt;
}

}  // namespace

std::string repetition_text(const RepetitionSummary& summary) {
    std::string text =
        summary.title.empty() ? std::string() : fmt::format("batch '{}'\n", plain_text(summary.title, 200));
    for (const RepetitionGroup& group : summary.groups) {
        text += fmt::format("{}{}: {}\n", text.empty() ? "" : "\n", plain_text(group_name(summary, group)),
                            counted(group.runs.size(), "run"));
        text += group.figures.empty() ? "  nothing is known\n" : group_table(summary, group);
    }
    text += '\n' + method_text(summary) + caution(summary);
    if (not summary.left_out.empty()) {
        text += fmt::format("\nleft out: {}\n", counted(summary.left_out.size(), "run"));
        for (const LeftOutRun& run : summary.left_out) {
            text += fmt::format("  {}: {}\n", plain_text(run.name), plain_text(run.reason));
        }
    }
    return text;
}

std::string repetition_csv(const RepetitionSummary& summary) {
    std::string text;
    for (const std::string& key : summary.keys) {
        text += csv_field(key) + ',';
    }
    text += "figure,count,mean,sd,mean_low,mean_high,median,median_low,median_high,median_coverage,of_sums,min,max\r\n";
    for (const RepetitionGroup& group : summary.groups) {
        for (const GroupFigure& figure : group.figures) {
            for (const std::string& value : group.values) {
                text += csv_field(value) + ',';
            }
            const auto& median = figure.median_interval;
            text += fmt::format("{},{},{},{},{},{},{},{},{},{},{},{},{}\r\n", figure.figure.name, figure.values.size(),
                                figure.mean, csv_number(figure.deviation), csv_number(low(figure.mean_interval)),
                                csv_number(high(figure.mean_interval)), figure.median,
                                csv_number(low(interval_of(median))), csv_number(high(interval_of(median))),
                                csv_number(median ? std::optional(median->coverage) : std::nullopt),
                                csv_number(figure.of_sums), figure.least, figure.most);
        }
    }
    return text;
}

std::string repetition_json(const RepetitionSummary& summary) {
    Json json{{"schema", "groma-dec batch 2"}, {"program", "groma-dec " GROMA_VERSION},
              {"name", summary.title},         {"confidence", summary.options.confidence},
              {"keys", summary.keys},          {"groups", Json::array()},
              {"left_out", Json::array()}};
    for (const RepetitionGroup& group : summary.groups) {
        json["groups"].push_back(group_json(summary, group));
    }
    for (const LeftOutRun& run : summary.left_out) {
        json["left_out"].push_back({{"run", run.name}, {"reason", run.reason}});
    }
    return json_text(json, 2) + '\n';
}

}  // namespace groma
