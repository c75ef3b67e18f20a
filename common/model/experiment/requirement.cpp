#include "common/model/experiment/requirement.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

using Row = RequiredFigureRow;

constexpr std::array kRows{
    Row{RequiredFigure::rate, "rate", RequiredUnit::ratio, "the rate error"},
    Row{RequiredFigure::lateness_p50, "lateness-p50", RequiredUnit::time_ns, "the p50 of lateness"},
    Row{RequiredFigure::lateness_p90, "lateness-p90", RequiredUnit::time_ns, "the p90 of lateness"},
    Row{RequiredFigure::lateness_p99, "lateness-p99", RequiredUnit::time_ns, "the p99 of lateness"},
    Row{RequiredFigure::lateness_p99_9, "lateness-p99.9", RequiredUnit::time_ns, "the p99.9 of lateness"},
    Row{RequiredFigure::lateness_max, "lateness-max", RequiredUnit::time_ns, "the largest lateness"},
    Row{RequiredFigure::gap_p50, "gap-p50", RequiredUnit::time_ns, "the p50 of the gap error"},
    Row{RequiredFigure::gap_p90, "gap-p90", RequiredUnit::time_ns, "the p90 of the gap error"},
    Row{RequiredFigure::gap_p99, "gap-p99", RequiredUnit::time_ns, "the p99 of the gap error"},
    Row{RequiredFigure::gap_p99_9, "gap-p99.9", RequiredUnit::time_ns, "the p99.9 of the gap error"},
    Row{RequiredFigure::gap_max, "gap-max", RequiredUnit::time_ns, "the largest gap error"},
    Row{RequiredFigure::gap_variation, "gap-variation", RequiredUnit::number, "the variation of the gaps"},
    Row{RequiredFigure::lambda2, "lambda2", RequiredUnit::number, "lambda squared"},
    Row{RequiredFigure::ks, "ks", RequiredUnit::number, "the upper bound of the Kolmogorov-Smirnov distance"},
    Row{RequiredFigure::a2, "a2", RequiredUnit::number, "A squared"},
    Row{RequiredFigure::behind, "behind", RequiredUnit::time_ns, "the time behind the schedule"},
    Row{RequiredFigure::batched, "batched", RequiredUnit::share, "the share of packets in batches"},
    Row{RequiredFigure::loss, "loss", RequiredUnit::share, "the share of packets lost"},
    Row{RequiredFigure::missed, "missed", RequiredUnit::number, "the number of missed slots"},
    Row{RequiredFigure::unsent, "unsent", RequiredUnit::number, "the number of packets that could not be sent"},
    Row{RequiredFigure::delay_p50, "delay-p50", RequiredUnit::time_ns, "the p50 of delay"},
    Row{RequiredFigure::delay_p90, "delay-p90", RequiredUnit::time_ns, "the p90 of delay"},
    Row{RequiredFigure::delay_p99, "delay-p99", RequiredUnit::time_ns, "the p99 of delay"},
    Row{RequiredFigure::delay_p99_9, "delay-p99.9", RequiredUnit::time_ns, "the p99.9 of delay"},
    Row{RequiredFigure::delay_max, "delay-max", RequiredUnit::time_ns, "the largest delay"},
    Row{RequiredFigure::jitter, "jitter", RequiredUnit::time_ns, "the jitter"},
    Row{RequiredFigure::rtt_p50, "rtt-p50", RequiredUnit::time_ns, "the p50 of the round-trip time"},
    Row{RequiredFigure::rtt_p90, "rtt-p90", RequiredUnit::time_ns, "the p90 of the round-trip time"},
    Row{RequiredFigure::rtt_p99, "rtt-p99", RequiredUnit::time_ns, "the p99 of the round-trip time"},
    Row{RequiredFigure::rtt_p99_9, "rtt-p99.9", RequiredUnit::time_ns, "the p99.9 of the round-trip time"},
    Row{RequiredFigure::rtt_max, "rtt-max", RequiredUnit::time_ns, "the largest round-trip time"},
};

const Row& row_named(std::string_view word) {
    const auto row = std::ranges::find(kRows, word, &Row::word);
    if (row != kRows.end()) {
        return *row;
    }
    std::vector<std::string_view> words;
    std::string all;
    for (const Row& each : kRows) {
        words.push_back(each.word);
        all.append(all.empty() ? "" : ", ").append(each.word);
    }
    throw UsageError("'" + plain_text(word, 40) + "' is not a figure that can be required" + did_you_mean(word, words) +
                     "; there are " + all);
}

double parse_limit(const Row& row, std::string_view text) {
    if (row.unit == RequiredUnit::time_ns) {
        return parse_time_ns(text);
    }
    if (row.unit == RequiredUnit::number) {
        return parse_number(text);
    }
    const double value = parse_share(text);
    if (row.unit == RequiredUnit::share and (value > 1 or (value == 1 and not text.ends_with('%')))) {
        throw UsageError("'" + plain_text(text, 40) + "' is " + (value > 1 ? "more than " : "") +
                         "all: use at most 100%, such as 1% or 0.01");
    }
    return value;
}

}  // namespace

std::span<const RequiredFigureRow> required_figures() {
    return kRows;
}

const RequiredFigureRow& row_of(RequiredFigure figure) {
    return kRows.at(static_cast<std::size_t>(figure));
}

Requirement parse_requirement(std::string_view word, std::string_view limit) {
    const Row& row = row_named(word);
    try {
        return {row.figure, parse_limit(row, limit)};
    } catch (const UsageError& error) {
        throw UsageError(std::string(row.word) + ": " + error.what());
    }
}

std::vector<Requirement> parse_requirements(std::string_view text) {
    std::vector<Requirement> requirements;
    for (const std::string_view piece : split_list(text)) {
        const std::size_t sign = piece.find('=');
        if (sign == std::string_view::npos) {
            throw UsageError("'" + plain_text(piece, 60) +
                             "' is not a requirement: write FIGURE=LIMIT, such as rate=0.1% or lateness-p99=20us");
        }
        const Requirement one = parse_requirement(piece.substr(0, sign), piece.substr(sign + 1));
        if (std::ranges::find(requirements, one.figure, &Requirement::figure) != requirements.end()) {
            throw UsageError("'" + std::string(row_of(one.figure).word) + "' is there twice");
        }
        requirements.push_back(one);
    }
    return requirements;
}

std::string to_string(const std::vector<Requirement>& requirements) {
    std::string text;
    for (const Requirement& one : requirements) {
        const Row& row = row_of(one.figure);
        text.append(text.empty() ? "" : ",").append(row.word).append("=");
        text.append(row.unit == RequiredUnit::time_ns                    ? time_to_string(one.limit)
                    : row.unit == RequiredUnit::share and one.limit == 1 ? "100%"
                                                                         : number_to_string(one.limit));
    }
    return text;
}

}  // namespace groma
