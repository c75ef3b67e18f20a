#include "common/cli/flow_lines.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/table.hpp"
#include "common/cli/wrapped_text.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

constexpr std::size_t kLongestName = 12;
constexpr std::size_t kIndent = 2;
constexpr const char* kUnknown = "-";

template <typename Value, typename Format>
std::string known(const std::optional<Value>& value, Format format) {
    return value ? format(*value) : std::string(kUnknown);
}

std::string count_text(std::uint64_t value) {
    return std::to_string(value);
}

std::string lost_packets(const FlowLine& line) {
    return line.lost or not line.lost_at_least ? known(line.lost, count_text) : ">= " + count_text(*line.lost_at_least);
}

std::string percent(std::uint64_t part, std::uint64_t whole, int digits) {
    return significant(100.0 * static_cast<double>(part) / static_cast<double>(whole), digits);
}

std::string shortened(const std::string& name) {
    constexpr std::size_t kDots = 3;
    const std::string plain = plain_text(name);
    return plain.size() <= kLongestName ? plain : plain_text(name, kLongestName - kDots);
}

/// What all lines of a table have in common.
struct TableShape {
    bool marks_round_trips = false;
    bool has_replies_lost = false;
    bool has_retransmissions = false;
};

void add_line(Table& table, const FlowLine& line, const TableShape& shape) {
    const auto time = [&](const std::optional<Nanos>& value) {
        return value ? (shape.marks_round_trips and line.round_trip ? "RTT " : "") + human_time(*value) : kUnknown;
    };
    std::vector<std::string> cells{
        shortened(line.name),
        known(line.bps, human_bits),
        known(line.pps, human_rate),
        lost_packets(line),
        line.lost and line.sent.value_or(0) > 0 ? percent(*line.lost, *line.sent, 3) : kUnknown,
        time(line.p50),
        time(line.p99),
        known(line.jitter, human_time)};
    if (shape.has_replies_lost) {
        cells.push_back(known(line.replies_lost, count_text));
    }
    if (shape.has_retransmissions) {
        cells.push_back(known(line.retransmitted, count_text));
    }
    table.add_row(std::move(cells));
}

}  // namespace

std::string flow_lines(const std::vector<FlowLine>& lines) {
    const bool some_return = std::ranges::any_of(lines, &FlowLine::round_trip);
    const bool all_return = std::ranges::all_of(lines, &FlowLine::round_trip);
    const TableShape shape{.marks_round_trips = some_return and not all_return,
                           .has_replies_lost = std::ranges::any_of(
                               lines, [](const FlowLine& line) { return line.replies_lost.value_or(0) > 0; }),
                           .has_retransmissions = std::ranges::any_of(
                               lines, [](const FlowLine& line) { return line.retransmitted.has_value(); })};
    std::vector<Column> columns{{"flow", Align::left},
                                {"received"},
                                {"packet rate"},
                                {"lost"},
                                {"lost [%]"},
                                {all_return ? "RTT p50" : "delay p50"},
                                {"p99"},
                                {"jitter"}};
    if (shape.has_replies_lost) {
        columns.push_back({"lost back"});
    }
    if (shape.has_retransmissions) {
        columns.push_back({"resent"});
    }
    Table table(std::move(columns));
    for (const FlowLine& line : lines) {
        add_line(table, line, shape);
    }
    return table.to_string(kIndent);
}

std::string describe_loss(const FlowLine& line) {
    const std::uint64_t lost = line.lost.value_or(line.lost_at_least.value_or(0));
    return fmt::format("lost {}{} of {} ({} %)", line.lost ? "" : "at least ", lost, line.sent.value_or(0),
                       percent(lost, std::max<std::uint64_t>(line.sent.value_or(0), 1), 2));
}

std::string describe_lost_replies(std::optional<std::uint64_t> lost) {
    return lost.value_or(0) == 0
               ? ""
               : fmt::format("; {} {} lost on the way back", *lost, lost == 1U ? "reply was" : "replies were");
}

std::string result_of(const FlowLine& all) {
    if (not all.received) {
        return all.sent ? fmt::format("sent {}, what arrived is unknown", counted(*all.sent, "packet"))
                        : "nothing is known";
    }
    if (all.received == 0U and all.sent.value_or(0) > 0) {
        return all.lost == all.sent ? fmt::format("NOTHING ARRIVED of {}", counted(*all.sent, "packet"))
                                    : fmt::format("sent {}, what arrived is unknown", counted(*all.sent, "packet"));
    }
    std::string out = all.bps and all.pps
                          ? fmt::format("{} received, {}", human_bits(*all.bps), human_rate(*all.pps))
                          : fmt::format("{} packet{} received", *all.received, all.received == 1U ? "" : "s");
    out += all.sent ? fmt::format(", lost {} of {}", all.lost or all.lost_at_least ? lost_packets(all) : "unknown",
                                  *all.sent)
                    : "";
    if (all.replies_lost.value_or(0) > 0) {
        out += fmt::format(", {} lost back", *all.replies_lost);
    }
    if (all.p50 and all.p99) {
        out += fmt::format(", {} p50 {} p99 {}", all.round_trip ? "RTT" : "delay", human_time(*all.p50),
                           human_time(*all.p99));
    }
    if (all.retransmitted.value_or(0) > 0) {
        out += fmt::format(", resent {}", *all.retransmitted);
    }
    return out;
}

std::size_t lines_in(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

std::string paragraph(const std::string& text) {
    const std::size_t first = std::min(text.find(' '), text.size());
    std::string out = text.substr(0, first);
    append_wrapped(out, out.size(), kIndent + 1, std::string_view(text).substr(std::min(first + 1, text.size())));
    return out;
}

std::string sentences_that_fit(const std::vector<std::string>& sentences, const char* what, std::size_t room) {
    std::string out;
    std::size_t left = sentences.size();
    for (const std::string& sentence : sentences) {
        std::string one(1, ' ');
        append_wrapped(one, 1, 2 * kIndent + 1, sentence);
        if (lines_in(out) + lines_in(one) + (left > 1 ? 1 : 0) > room) {
            break;
        }
        out += one;
        --left;
    }
    return left == 0 or room == 0
               ? out
               : out + fmt::format("  {} {}{} (--verbose)\n", left, out.empty() ? "" : "more ", what);
}

std::string fitted_screen(const std::string& heading, const std::string& table,
                          const std::vector<std::string>& sentences, const char* what, const std::string& conclusion) {
    const std::size_t lines = lines_in(heading) + lines_in(table) + lines_in(conclusion);
    const std::size_t blanks = lines + 2 > kMostScreenLines ? 1 : 2;
    const std::size_t room = kMostScreenLines - std::min(lines + blanks, kMostScreenLines);
    return heading + (blanks > 1 ? "\n" : "") + table + sentences_that_fit(sentences, what, room) + '\n' + conclusion;
}

}  // namespace groma
