#include "decoder/files/csv_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>
#include <system_error>
#include <type_traits>
#include <variant>

#include "common/base/plain_text.hpp"
#include "decoder/results/figures.hpp"

namespace groma {

namespace {

void append(std::string& out, const FigureValue& value) {
    out += ',';
    std::visit(
        [&out](const auto& known) {
            using Known = std::decay_t<decltype(known)>;
            if constexpr (std::is_same_v<Known, std::string>) {
                out += csv_field(known);
            } else if constexpr (not std::is_same_v<Known, std::monostate>) {
                fmt::format_to(std::back_inserter(out), "{}", known);
            }
        },
        value);
}

void append_rows(std::string& out, const std::string& start, const std::vector<SeriesRow>& rows) {
    for (const SeriesRow& row : rows) {
        out += start;
        for (const Figure<SeriesRow>& figure : series_figures()) {
            append(out, figure.of(row));
        }
        out += "\r\n";
    }
}

/// Spreadsheets evaluate text that begins like this, after blanks that some of them skip, unless it is a number.
bool is_formula(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of("\t\r\n"), text.size()));
    if (text.empty() or std::string_view("=+-@").find(text.front()) == std::string_view::npos) {
        return false;
    }
    const std::string_view digits = text.substr(text.front() == '+' ? 1 : 0);
    double number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return error != std::errc() or end != digits.data() + digits.size();
}

}  // namespace

std::string csv_field(std::string_view text) {
    std::string field = is_formula(text) ? "'" : "";
    field += plain_text(text, text.size());
    if (field.find_first_of(",\"") == std::string::npos) {
        return field;
    }
    for (std::size_t at = 0; (at = field.find('"', at)) != std::string::npos; at += 2) {
        field.insert(at, 1, '"');
    }
    return '"' + field + '"';
}

std::string csv_report(const Results& results) {
    std::string out = "run_id,flow,name,receiver_host";
    for (const Figure<SeriesRow>& figure : series_figures()) {
        out.append(",").append(figure.name);
    }
    out += "\r\n";
    for (const auto& run : results.runs) {
        const std::string run_id = csv_field(run.run_id);
        for (const auto& flow : run.flows) {
            append_rows(out,
                        fmt::format("{},{},{},{}", run_id, flow.spec.id.value, csv_field(flow.spec.name),
                                    csv_field(flow.receiver)),
                        flow.series.rows());
        }
        for (const auto& [name, total] : named_totals(run)) {
            append_rows(out, run_id + ",0," + csv_field(name) + ',', total->series.rows());
        }
    }
    return out;
}

}  // namespace groma
