#include "mpi/batch/batch_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/table.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

constexpr std::size_t kMaxValueText = 40;
constexpr const char* kUnknown = "-";

std::vector<Column> with_keys(const Batch& batch, const std::vector<Column>& before,
                              const std::vector<Column>& behind) {
    std::vector<Column> columns = before;
    for (const BatchKey& key : batch.plan().keys) {
        columns.push_back({key.name, Align::right});
    }
    columns.insert(columns.end(), behind.begin(), behind.end());
    return columns;
}

void add_values(std::vector<std::string>& cells, const std::vector<std::string>& values) {
    for (const std::string& value : values) {
        cells.push_back(plain_text(value, kMaxValueText));
    }
}

std::string count_text(const std::optional<double>& count) {
    return count ? fmt::format("{:.0f}", *count) : kUnknown;
}

std::string bits_text(const std::optional<double>& bps) {
    return bps ? human_bits(*bps) : kUnknown;
}

std::string time_text(const std::optional<double>& ns) {
    return ns ? human_nanos(*ns) : kUnknown;
}

std::string percent_text(const std::optional<double>& ratio) {
    return ratio ? significant(*ratio * 100, 3) + " %" : kUnknown;
}

std::string verdict_text(const RunFigures& figures) {
    std::string text = figures.verdict;
    std::ranges::replace(text, '_', ' ');
    return text.empty() ? kUnknown : text;
}

std::vector<std::string> figure_cells(const BatchRow& row) {
    const RunFigures& figures = row.outcome.figures;
    return {std::string(to_string(row.outcome.state)),
            figures.number("sent_pps") ? significant(*figures.number("sent_pps"), 6) : kUnknown,
            percent_text(figures.number("rate_error")),
            count_text(figures.number("sent_packets")),
            count_text(figures.number("received_packets")),
            count_text(figures.number("lost")),
            bits_text(figures.number("throughput_bps")),
            time_text(figures.number("delay_mean_ns")),
            time_text(figures.number("delay_p50_ns")),
            time_text(figures.number("delay_p99_ns")),
            verdict_text(figures)};
}

std::string reasons_text(const std::vector<BatchRow>& rows) {
    std::string text;
    for (const BatchRow& row : rows) {
        if (not row.outcome.reason.empty()) {
            text += fmt::format("run {} {}: {}\n", row.number, to_string(row.outcome.state),
                                plain_text(row.outcome.reason));
        }
    }
    return text;
}

std::string states_text(const std::vector<BatchRow>& rows) {
    constexpr std::array kStates = {RunState::complete, RunState::failed, RunState::interrupted, RunState::waiting};
    std::string text = counted(rows.size(), "run") + ":";
    for (const RunState state : kStates) {
        const auto count = std::ranges::count_if(rows, [&](const BatchRow& row) { return row.outcome.state == state; });
        if (count > 0) {
            text += fmt::format("{} {} {}", text.ends_with(':') ? "" : ",", count, to_string(state));
        }
    }
    return text + "\n";
}

}  // namespace

std::string batch_plan_text(const Batch& batch) {
    Table table(with_keys(batch, {{"run"}}, {{"repetition"}, {"seed"}, {"folder", Align::left}}));
    std::optional<Nanos> planned = Nanos{0};
    for (const BatchRun& run : batch.runs()) {
        std::vector<std::string> cells = {std::to_string(run.number)};
        add_values(cells, batch.values(run));
        cells.insert(cells.end(), {std::to_string(run.repetition), std::to_string(run.seed), run.name});
        table.add_row(std::move(cells));
        planned = planned and run.planned ? std::optional(*planned + *run.planned) : std::nullopt;
    }
    return table.to_string() + fmt::format("{}{}\n", counted(batch.runs().size(), "run"),
                                           planned ? ", at least " + human_time(*planned) + " in all" : "");
}

std::string batch_result_text(const Batch& batch, const std::vector<BatchRow>& rows) {
    const std::vector<Column> figures = {
        {"repetition"}, {"state", Align::left}, {"sent [pps]"}, {"rate error"}, {"sent"}, {"received"},
        {"lost"},       {"throughput"},         {"delay"},      {"p50"},        {"p99"},  {"verdict", Align::left}};
    Table table(with_keys(batch, {{"run"}}, figures));
    for (const BatchRow& row : rows) {
        std::vector<std::string> cells = {std::to_string(row.number)};
        add_values(cells, row.values);
        cells.push_back(std::to_string(row.repetition));
        const std::vector<std::string> known = figure_cells(row);
        cells.insert(cells.end(), known.begin(), known.end());
        table.add_row(std::move(cells));
    }
    return table.to_string() + reasons_text(rows) + states_text(rows);
}

std::string run_line(const BatchRun& run, const RunOutcome& outcome, std::size_t runs) {
    const std::string name = fmt::format("run {} of {} ({})", run.number, runs, run.name);
    if (outcome.state != RunState::complete) {
        return fmt::format("{} {}: {}", name, to_string(outcome.state), plain_text(outcome.reason));
    }
    const RunFigures& figures = outcome.figures;
    return fmt::format("{}: {}, rate off by {}, {} sent, {} lost, throughput {}, {}", name,
                       figures.number("sent_pps") ? human_rate(*figures.number("sent_pps")) : kUnknown,
                       percent_text(figures.number("rate_error")), count_text(figures.number("sent_packets")),
                       count_text(figures.number("lost")), bits_text(figures.number("throughput_bps")),
                       verdict_text(figures));
}

}  // namespace groma
