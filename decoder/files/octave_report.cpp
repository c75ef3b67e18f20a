#include "decoder/files/octave_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <set>

#include "common/figures/figure_json.hpp"
#include "decoder/files/json_pieces.hpp"
#include "decoder/results/figures.hpp"

namespace groma {

namespace {

constexpr std::int64_t kLargestExact = std::int64_t{1} << 53;
constexpr std::size_t kLongestName = 60;  // MATLAB's limit is 63

bool is_number(const Json& value) {
    return value.is_number() or value.is_null();
}

bool is_exact(const Json& value) {
    if (value.is_number_unsigned()) {
        return value.get<std::uint64_t>() <= static_cast<std::uint64_t>(kLargestExact);
    }
    return not value.is_number_integer() or std::abs(value.get<double>()) <= static_cast<double>(kLargestExact);
}

std::string number_text(const Json& value) {
    if (value.is_null()) {
        return "NaN";
    }
    if (value.is_number_unsigned()) {
        return fmt::format("{}", value.get<std::uint64_t>());
    }
    if (value.is_number_integer()) {
        return fmt::format("{}", value.get<std::int64_t>());
    }
    const double number = value.get<double>();
    if (std::isnan(number)) {
        return "NaN";
    }
    return std::isinf(number) ? (number > 0 ? "Inf" : "-Inf") : fmt::format("{}", number);
}

std::string scalar_text(const Json& value) {
    if (value.is_string()) {
        return octave_text(value.get<std::string>());
    }
    if (value.is_boolean()) {
        return value.get<bool>() ? "true" : "false";
    }
    return is_exact(value) ? number_text(value) : octave_text(number_text(value));
}

/// A valid name of a field for any key of a log; differs for each key.
std::string field_name(const std::string& key, std::set<std::string>& taken) {
    std::string name = key.substr(0, kLongestName - 8);
    std::ranges::replace_if(
        name, [](unsigned char c) { return c > 0x7f or std::isalnum(c) == 0; }, '_');
    if (name.empty() or std::isalpha(static_cast<unsigned char>(name.front())) == 0) {
        name = fmt::format("x{}", name);
    }
    const std::string first = name;
    for (int again = 2; not taken.insert(name).second; ++again) {
        name = fmt::format("{}_{}", first, again);
    }
    return name;
}

/// Rows with the same members, all of them numbers that fit.
bool is_table(const Json& rows) {
    return not rows.empty() and std::ranges::all_of(rows, [&](const Json& row) {
        if (not row.is_object() or row.empty() or row.size() != rows.front().size()) {
            return false;
        }
        for (const auto& [key, value] : row.items()) {
            if (not is_number(value) or not is_exact(value) or not rows.front().contains(key)) {
                return false;
            }
        }
        return true;
    });
}

std::string column(const Json& rows, const std::string& key) {
    std::string out = "[\n";
    for (const Json& row : rows) {
        out += number_text(row[key]) + '\n';
    }
    return out + ']';
}

std::string list_text(const Json& list) {
    const bool numbers = std::ranges::all_of(list, [](const Json& one) { return is_number(one) and is_exact(one); });
    std::string out = numbers ? "[" : "{";
    for (const Json& one : list) {
        out += out.size() == 1 ? "" : ", ";
        out += scalar_text(one);
    }
    return out + (numbers ? "]" : "}");
}

/// A value and where it goes.
struct Assignment {
    std::string path;
    const Json* value;
};

/// Puts the members or elements of `what` in front of `rest`, in their order. Returns: a statement, if it takes one.
std::string unfold(const Assignment& what, std::vector<Assignment>& rest) {
    const Json& value = *what.value;
    std::vector<Assignment> parts;
    std::string out;
    if (value.is_object()) {
        if (value.empty()) {
            return what.path + " = struct();\n";
        }
        std::set<std::string> taken;
        for (const auto& [key, member] : value.items()) {
            parts.push_back({what.path + '.' + field_name(key, taken), &member});
        }
    } else if (is_table(value)) {
        std::set<std::string> taken;
        for (const auto& [key, first] : value.front().items()) {
            out += fmt::format("{}.{} = {};\n", what.path, field_name(key, taken), column(value, key));
        }
    } else if (std::ranges::none_of(value, [](const Json& one) { return one.is_structured(); })) {
        return what.path + " = " + list_text(value) + ";\n";
    } else {
        for (std::size_t i = 0; i < value.size(); ++i) {
            parts.push_back({fmt::format("{}({})", what.path, i + 1), &value[i]});
        }
    }
    rest.insert(rest.end(), parts.rbegin(), parts.rend());
    return out;
}

using Write = std::function<void(std::string_view)>;

/// As octave_assignment() of all rows: column by column, since the rows of a series may be very many.
void write_series(const Write& write, const std::string& path, const KnownSeries& series) {
    std::size_t rows = 0;
    bool table = true;
    series.for_each_row([&](const SeriesRow& row) {
        ++rows;
        table = table and
                std::ranges::all_of(series_figures(), [&](const auto& it) { return is_exact(to_json(it.of(row))); });
    });
    if (rows == 0) {
        write(octave_assignment(path, Json::array()));
        return;
    }
    if (not table) {
        std::size_t number = 0;
        series.for_each_row([&](const SeriesRow& row) {
            write(octave_assignment(fmt::format("{}({})", path, ++number), figures_json(series_figures(), row)));
        });
        return;
    }
    for (const Figure<SeriesRow>& figure : series_figures()) {
        write(fmt::format("{}.{} = [\n", path, figure.name));
        series.for_each_row([&](const SeriesRow& row) { write(number_text(to_json(figure.of(row))) + '\n'); });
        write("];\n");
    }
}

void write_with_series(const Write& write, const std::string& path, const Json& members, const KnownSeries& series) {
    write(octave_assignment(path, members));
    write_series(write, path + ".series", series);
}

}  // namespace

std::string octave_text(const std::string& text) {
    const std::string valid =
        Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace)).get<std::string>();
    std::string out = "'";
    for (const char c : valid) {
        const auto byte = static_cast<unsigned char>(c);
        out += byte < 0x20 or byte == 0x7f ? ' ' : c;
        if (c == '\'') {
            out += c;
        }
    }
    return out + '\'';
}

std::string octave_assignment(const std::string& path, const Json& value) {
    std::string out;
    std::vector<Assignment> rest{{path, &value}};
    while (not rest.empty()) {
        const Assignment next = std::move(rest.back());
        rest.pop_back();
        out += next.value->is_structured() ? unfold(next, rest) : next.path + " = " + scalar_text(*next.value) + ";\n";
    }
    return out;
}

void write_octave_report(const Results& results, const Write& write) {
    write("% Made by groma-dec " GROMA_VERSION
          ". Run it, and look at the variable groma (docs/reference/decoder-output.md).\ngroma = struct();\n");
    const Json head{{"schema", "groma-dec octave 2"},
                    {"program", "groma-dec " GROMA_VERSION},
                    {"complete", not results.damaged},
                    {"warnings", results.warnings}};
    write(octave_assignment("groma", head));
    for (std::size_t i = 0; i < results.runs.size(); ++i) {
        const RunResult& run = results.runs[i];
        const std::string path = fmt::format("groma.runs({})", i + 1);
        write(octave_assignment(path, run_head_json(run)));
        for (std::size_t log = 0; log < run.logs.size(); ++log) {
            write(octave_assignment(fmt::format("{}.logs({})", path, log + 1), log_json(run.logs[log])));
        }
        for (std::size_t flow = 0; flow < run.flows.size(); ++flow) {
            write_with_series(write, fmt::format("{}.flows({})", path, flow + 1), flow_json(run.flows[flow]),
                              run.flows[flow].series);
        }
        write_with_series(write, path + ".total", total_json(run.total), run.total.series);
        if (run.groups.empty()) {
            write(octave_assignment(path + ".groups", Json::array()));
        }
        for (std::size_t group = 0; group < run.groups.size(); ++group) {
            write_with_series(write, fmt::format("{}.groups({})", path, group + 1),
                              group_json(run.groups[group], run.group_keys), run.groups[group].total.series);
        }
    }
}

}  // namespace groma
