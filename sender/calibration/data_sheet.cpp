#include "sender/calibration/data_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <span>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/table.hpp"
#include "common/model/text/human.hpp"
#include "sender/calibration/point_text.hpp"
#include "sender/calibration/summary.hpp"

namespace groma {

namespace {

std::string utc(WallTime time) {
    const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
    std::tm parts{};
    ::gmtime_r(&seconds, &parts);
    return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                       parts.tm_hour, parts.tm_min);
}

void append_facts(std::string& text, const std::string& title, const Facts& facts) {
    text += title + '\n';
    std::size_t width = 0;
    for (const auto& [name, value] : facts) {
        width = std::max(width, name.size());
    }
    for (const auto& [name, value] : facts) {
        text += fmt::format("  {:<{}}  {}\n", plain_text(name), width, plain_text(value, 600));
    }
    text += '\n';
}

void append_head(std::string& text, const DataSheet& sheet) {
    text += "Data sheet of a pair of hosts, measured by groma-send --calibrate\n\n";
    if (not sheet.complete) {
        text += "NOT COMPLETE: run the same command again to measure the rest.\n\n";
    }
    if (not sheet.results.empty()) {
        text += fmt::format("Measured from {} to {}, {}.\n", utc(sheet.results.front().started_at),
                            utc(sheet.results.back().started_at), counted(sheet.results.size(), "point"));
    }
    text +=
        "Figures are the sender's own and its receiver's; a value with a range is the median of the repetitions and "
        "their\nsmallest and largest. docs/reference/metrics.md defines each of them, docs/guide/calibration.md says "
        "how they were "
        "taken.\n\n";
    append_facts(text, "Sender", sheet.sender);
    append_facts(text, "Receiver", sheet.receiver);
    append_facts(text, "Settings", settings_facts(sheet.settings));
    append_facts(text, "How the sender worked", sheet.options);
}

/// Nonempty texts of points with the number of points that have them, most frequent first.
void append_texts(std::string& text, const std::string& title, const DataSheet& sheet,
                  std::string PointResult::*which) {
    constexpr std::size_t kMostLines = 10;
    std::map<std::string, std::size_t> points;
    for (const PointResult& result : sheet.results) {
        if (not(result.*which).empty()) {
            ++points[result.*which];
        }
    }
    if (points.empty()) {
        return;
    }
    std::vector<std::pair<std::string, std::size_t>> sorted(points.begin(), points.end());
    std::ranges::stable_sort(sorted, std::greater(), &std::pair<std::string, std::size_t>::second);
    text += title + '\n';
    for (const auto& [what, count] : std::span(sorted).first(std::min(kMostLines, sorted.size()))) {
        text += fmt::format("  {} of {}: {}\n", count, counted(sheet.results.size(), "point"), plain_text(what, 600));
    }
    text += sorted.size() > kMostLines ? "  and others: see the points in calibration.db\n\n" : "\n";
}

void append_limits(std::string& text, const DataSheet& sheet) {
    if (sheet.limits.empty()) {
        return;
    }
    Table table({{"size", Align::right},
                 {"gaps, logs", Align::left},
                 {"within"},
                 {"highest rate kept"},
                 {"payload"},
                 {"not kept from"}});
    for (const Limit& limit : sheet.limits) {
        const Series& series = limit.search.series;
        const auto bits = [&](double pps) { return human_bits(pps * 8 * series.size_bytes); };
        table.add_row({std::to_string(series.size_bytes) + " B",
                       fmt::format("{}, {}", to_string(series.distribution), to_string(series.logging)),
                       percent_text(limit.search.tolerance), limit.kept_pps ? human_rate(*limit.kept_pps) : "none",
                       limit.kept_pps ? bits(*limit.kept_pps) : kUnknownFigure,
                       limit.not_kept_pps ? human_rate(*limit.not_kept_pps) : kUnknownFigure});
    }
    text += "Highest rate that the sender keeps\n" + table.to_string(2) + '\n';
}

void append_series(std::string& text, const std::vector<PointSummary>& points) {
    Table table({{"nominal", Align::right},
                 {"sent"},
                 {"rate error"},
                 {"payload"},
                 {"lateness p50"},
                 {"p99"},
                 {"gap error p50"},
                 {"p99"},
                 {"alone"},
                 {"lost"},
                 {"of them drops"},
                 {"CPU"},
                 {"verdict", Align::left}});
    for (const PointSummary& point : points) {
        table.add_row(
            {human_rate(point.rate_pps), median_text(point.figure("sent_pps"), human_rate),
             spread_text(point.figure("rate_error"), percent_text), median_text(point.figure("sent_bps"), human_bits),
             spread_text(point.figure("lateness_p50_ns"), human_nanos),
             spread_text(point.figure("lateness_p99_ns"), human_nanos),
             median_text(point.figure("gap_error_p50_ns"), human_nanos),
             median_text(point.figure("gap_error_p99_ns"), human_nanos),
             share_text(figure_ratio(point, "packets_alone", "sent_packets")),
             share_text(figure_ratio(point, "lost", "sent_packets")),
             share_text(figure_ratio(point, "kernel_drops", "sent_packets")), cpu_text(point), verdict_text(point)});
    }
    text += series_text(points.front().series) + '\n' + table.to_string(2) + '\n';
}

void append_distributions(std::string& text, const std::vector<PointSummary>& all) {
    Table table({{"gaps", Align::left}, {"nominal"}, {"n"}, {"N"}, {"lambda squared"}, {"+-"}, {"KS"}, {"A2"}});
    for (const PointSummary& point : all) {
        const auto lambda2 = point.figure("lambda2");
        if (not lambda2) {
            continue;
        }
        table.add_row({series_text(point.series), human_rate(point.rate_pps),
                       median_text(point.figure("fit_gaps"), number_text),
                       median_text(point.figure("fit_bins"), number_text), spread_text(lambda2, number_text),
                       median_text(point.figure("lambda2_error"), number_text),
                       spread_text(point.figure("ks"), number_text), spread_text(point.figure("a2"), number_text)});
    }
    if (table.rows() > 0) {
        text += "Gaps against the distribution asked for (0 is a perfect fit)\n" + table.to_string(2) + '\n';
    }
}

/// For each way of logging: the highest rate sent, and the log's cost at that rate.
void append_logging(std::string& text, const DataSheet& sheet, const std::vector<PointSummary>& all) {
    Table table({{"logs", Align::left}, {"most sent"}, {"nominal"}, {"log bytes a packet"}, {"records lost"}, {"CPU"}});
    for (const LoggingWay way : sheet.settings.loggings) {
        const PointSummary* most = nullptr;
        double pps = 0;
        for (const PointSummary& point : all) {
            const auto sent = point.figure("sent_pps");
            if (point.series ==
                    Series{sheet.settings.distributions.front(), sheet.settings.sizes_bytes.front(), way} and
                sent and sent->median > pps) {
                pps = sent->median;
                most = &point;
            }
        }
        if (most != nullptr) {
            table.add_row({std::string(to_string(way)), spread_text(most->figure("sent_pps"), human_rate),
                           human_rate(most->rate_pps), log_bytes_text(*most),
                           way == LoggingWay::off ? kUnknownFigure
                                                  : median_text(most->figure("sent_records_missing"), number_text),
                           cpu_text(*most)});
        }
    }
    if (table.rows() > 0) {
        text += fmt::format("Cost of logging ({} gaps, {} B)\n{}\n", to_string(sheet.settings.distributions.front()),
                            sheet.settings.sizes_bytes.front(), table.to_string(2));
    }
}

/// Of one repetition: half of the 95 % interval around the median, the longer half.
std::optional<double> random_delay_error(const PointFigures& figures) {
    const auto low = known(figures, "delay_p025_ns");
    const auto median = known(figures, "delay_p50_ns");
    const auto high = known(figures, "delay_p975_ns");
    return low and median and high ? std::optional(std::max(*high - *median, *median - *low)) : std::nullopt;
}

/// Of the sizes, under the first distribution and the main logging: the lowest rate, and others ten times apart.
void append_delays(std::string& text, const DataSheet& sheet, const std::vector<PointSummary>& all) {
    Table table({{"size", Align::right},
                 {"nominal"},
                 {"median delay"},
                 {"clock bound"},
                 {"random error (95 %)"},
                 {"p99"},
                 {"largest"}});
    for (const std::uint32_t size : sheet.settings.sizes_bytes) {
        constexpr double kApart = 10 * (1 - 1e-9);
        double above = 0;
        for (const PointSummary& point :
             of_series(all, {sheet.settings.distributions.front(), size, main_logging(sheet.settings)})) {
            const auto random = point.figure(random_delay_error);
            const auto longest = point.figure("delay_max_ns");
            if (not random or point.rate_pps < above) {
                continue;
            }
            above = kApart * point.rate_pps;
            table.add_row({fmt::format("{} B", size), human_rate(point.rate_pps),
                           spread_text(point.figure("delay_p50_ns"), human_nanos),
                           median_text(point.figure("delay_clock_bound_ns"), human_nanos),
                           spread_text(random, human_nanos), median_text(point.figure("delay_p99_ns"), human_nanos),
                           longest ? human_nanos(longest->high) : kUnknownFigure});
        }
    }
    if (table.rows() == 0) {
        return;
    }
    const auto shares = sheet.receiver.find("shares the sender's kernel");
    const bool one_kernel = shares != sheet.receiver.end() and shares->second == "yes";
    text += "Error of one-way delays (RFC 7679, 3.7.3)\n" + table.to_string(2);
    text +=
        one_kernel
            ? "  Both programs run on one kernel: no network delays a packet, and the median is the systematic error.\n"
            : "  The systematic error is the median less the true delay of the path, and what the clocks may be "
              "off.\n  Connect the hosts back to back for it: then the true delay is that of a cable and of the "
              "packet's bits.\n";
    text +=
        "  In each repetition at least 95 % of the delays are within its random error of their median. Largest: of all "
        "of them.\n\n";
}

}  // namespace

std::string data_sheet_text(const DataSheet& sheet) {
    std::string text;
    append_head(text, sheet);
    append_texts(text, "Asked for, and not had", sheet, &PointResult::warnings);
    append_texts(text, "Points that were not whole", sheet, &PointResult::failures);
    append_limits(text, sheet);
    const std::vector<PointSummary> all = summaries(sheet.settings, sheet.results);
    append_delays(text, sheet, all);
    append_logging(text, sheet, all);
    append_distributions(text, all);
    for (const Series& series : series_of(sheet.settings)) {
        if (const std::vector<PointSummary> points = of_series(all, series); not points.empty()) {
            append_series(text, points);
        }
    }
    text +=
        "nominal: the rate of the distribution; rate errors and verdicts are against that of the draws.\n"
        "alone: packets that left in a send call of their own. lost: sent and not received; drops: by the receiver's\n"
        "full socket. CPU: seconds of CPU of the sending program for each second of the flow, its log included.\n";
    return text;
}

}  // namespace groma
