// Tampered SQLite files of results, fits, calibrations and batches: every reader refuses with a message or has finite
// values, and the outputs are valid: scripts for gnuplot that quote every word, and JSON.
//
// The input is the kind of file, and then statements of three bytes and their values: rows that are added, changed and
// removed with values of the wrong type or size, tables that lose their columns or go, and bytes of the file itself.
#include <sqlite3.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "decoder/files/sqlite_report.hpp"
#include "decoder/files/sqlite_schema.hpp"
#include "decoder/fit/fit_schema.hpp"
#include "decoder/repetitions/repetition_report.hpp"
#include "decoder/repetitions/repetition_source.hpp"
#include "decoder/repetitions/stored_batch.hpp"
#include "plots/gnuplot/dodge.hpp"
#include "plots/gnuplot/gnuplot_script.hpp"
#include "plots/gnuplot/reduction.hpp"
#include "plots/pictures/batch_pictures.hpp"
#include "plots/pictures/calibration_pictures.hpp"
#include "plots/pictures/fit_pictures.hpp"
#include "plots/pictures/run_kinds.hpp"
#include "plots/results/batch_results.hpp"
#include "plots/results/calibration.hpp"
#include "plots/results/sqlite_series.hpp"
#include "plots/results/stored_fits.hpp"
#include "plots/results/stored_results.hpp"
#include "sender/calibration/schema.hpp"
#include "tests/fuzz/tampered_database.hpp"

namespace {

using namespace groma;  // a program of one file

void expect_finite(double value) {
    check(std::isfinite(value), "a value that was read is finite");
}

void expect_finite(const std::optional<double>& value) {
    expect_finite(value.value_or(0));
}

/// Outside of its data a script has words and strings, and in the data numbers; gnuplot interprets no part of a string.
void expect_quoted(std::string_view script) {
    bool data = false;
    while (not script.empty()) {
        const std::string_view line = script.substr(0, script.find('\n'));
        script.remove_prefix(std::min(line.size() + 1, script.size()));
        if (data or line == "EOD") {
            check(line == "EOD" or line.find_first_not_of("0123456789.e+- ") == std::string_view::npos,
                  "data are numbers");
            data = line != "EOD";
            continue;
        }
        data = line.ends_with("<< EOD");
        char quote = 0;
        for (std::size_t at = 0; at < line.size(); ++at) {
            const char byte = line[at];
            check(byte != '@' or (at + 1 < line.size() and line[at + 1] == '\''), "a macro is expanded");
            if (quote == 0 and (byte == '\'' or byte == '"')) {
                quote = byte;
            } else if (byte == quote) {
                quote = 0;
            } else if (quote == 0) {
                check(byte >= ' ' and byte < 0x7f and std::string_view("`\\!").find(byte) == std::string_view::npos,
                      "a script has something that is neither a word nor a string");
            } else {
                check(quote == '\'' or byte == '\'', "between double quotes stands a single one only");
            }
        }
        check(quote == 0, "a string does not end");
    }
}

void expect_drawn(const Picture& picture) {
    for (const AxisRange& range : {picture.x_range, picture.y_range}) {
        expect_finite(range.low);
        expect_finite(range.high);
        check(range.low < range.high, "an axis has no length");
    }
    expect_quoted(gnuplot_script(reduced(dodged(picture)), PictureFormat::svg, "/tmp/it's.svg", ""));
}

void look_at(const RunResults& run) {
    expect_finite(run.interval_s);
    expect_finite(run.clock_bound_ns);
    expect_finite(run.lambda2);
    for (const FlowResults& flow : run.flows) {
        expect_finite(flow.arrived);
        expect_finite(flow.lambda2);
        for (const auto& [kind, bins] : flow.histograms) {
            for (const HistogramBin& bin : bins) {
                check(bin.low <= bin.high, "a bin ends before it begins");
                expect_finite(bin.high - bin.low);
                expect_finite(bin.count);
            }
        }
        for (const CdfPoint& point : flow.asked_gaps) {
            expect_finite(point.value);
            expect_finite(point.share);
        }
    }
    for (const RunKind& kind : run_kinds()) {
        if (const std::optional<Picture> picture = kind.draw(run)) {
            expect_drawn(*picture);
        }
    }
}

bool look_at(const Repetitions& repetitions) {
    const RepetitionSummary summary = summarised(repetitions, {});
    for (const RepetitionGroup& group : summary.groups) {
        for (const GroupFigure& figure : group.figures) {
            check(figure.least <= figure.median and figure.median <= figure.most, "a median is not within the values");
            const auto& interval = figure.median_interval;
            check(not interval or interval->interval.low <= interval->interval.high,
                  "an interval ends before it begins");
        }
    }
    check(nlohmann::json::accept(repetition_json(summary)), "a summary is JSON");
    (void)repetition_text(summary);
    (void)repetition_csv(summary);
    return not summary.groups.empty();
}

// Returns: whether the file has contents.

bool look_at_results(const std::filesystem::path& file) {
    std::vector<RunResults> runs = read_results(file);
    for (RunResults& run : runs) {
        read_over_time(run, SqliteSeries(file, run), [](const std::string&) { return true; });
        look_at(run);
    }
    return look_at(read_results_files({file.string()})) and not runs.empty();
}

bool look_at_fit(const std::filesystem::path& file) {
    const std::vector<FittedTraffic> all = read_fit(file);
    for (const FitKind& kind : fit_kinds()) {
        const std::span<const FittedTraffic> shown(all.data(), std::min(all.size(), kMostFitCurves));
        if (const std::optional<Picture> picture = shown.empty() ? std::nullopt : kind.draw(shown)) {
            expect_drawn(*picture);
        }
    }
    return not all.empty();
}

bool look_at_calibration(const std::filesystem::path& file) {
    const CalibrationResults results = read_calibration_results(file);
    for (const CalibrationPoint& point : results.points) {
        expect_finite(point.rate_pps);
        for (const auto& [name, spread] : point.figures) {
            check(spread.low <= spread.median and spread.median <= spread.high, "a median is not within its values");
        }
    }
    for (const GapDensity& density : results.densities) {
        expect_finite(density.rate_pps);
        expect_finite(density.gaps);
        for (const GapDensity::Bin& bin : density.bins) {
            expect_finite(bin.high_ns - bin.low_ns);
            expect_finite(bin.count);
            expect_finite(bin.asked_share);
        }
    }
    for (const Picture& picture : calibration_pictures(results)) {
        expect_drawn(picture);
    }
    return not results.points.empty() and not results.densities.empty();
}

bool look_at_batch(const std::filesystem::path& file) {
    return look_at(read_batch_table(file));
}

bool look_at_repetitions(const std::filesystem::path& file) {
    const BatchResults results = read_batch_results(file);
    for (const Picture& picture : batch_pictures(results)) {
        expect_drawn(picture);
    }
    return not results.groups.empty();
}

// The part that its readers read; docs/guide/calibration.md and docs/guide/batch.md describe the rest.
constexpr const char* kCalibrationSchema =
    "CREATE TABLE points(id INTEGER PRIMARY KEY, kind TEXT, distribution TEXT, size_bytes INTEGER, logging TEXT, "
    "rate_pps REAL, "
    "repetition INTEGER, sent_pps REAL, sent_bps REAL, lambda2 REAL, lateness_p50_ns INTEGER, lateness_p99_ns INTEGER, "
    "gap_error_p50_ns INTEGER, lost INTEGER, sent_packets INTEGER, gap_error_p99_ns INTEGER, rate_error REAL);"
    "CREATE TABLE about(subject TEXT, name TEXT, value TEXT);"
    "CREATE TABLE gaps(point INTEGER, low_ns REAL, high_ns REAL, count INTEGER, asked_share REAL);";
constexpr const char* kBatchSchema =
    "CREATE TABLE batch(name TEXT);"
    "CREATE TABLE runs(number INTEGER, state TEXT, reason TEXT, folder TEXT, size TEXT, rate TEXT, repetition INTEGER, "
    "scheduled_pps REAL, "
    "sent_pps REAL, rate_error REAL, lateness_p99_ns INTEGER, sent_packets INTEGER, received_packets INTEGER, lost "
    "INTEGER, duplicates "
    "INTEGER, reordered INTEGER, throughput_bps REAL, delay_mean_ns REAL, delay_p50_ns INTEGER, delay_p99_ns INTEGER, "
    "delay_max_ns "
    "INTEGER);";
constexpr const char* kRepetitionsSchema =
    "CREATE TABLE about(name TEXT, confidence REAL); CREATE TABLE keys(position INTEGER PRIMARY KEY, name TEXT);"
    "CREATE TABLE groups(id INTEGER PRIMARY KEY, name TEXT, runs INTEGER);"
    "CREATE TABLE group_keys(\"group\" INTEGER, key TEXT, value TEXT, number REAL);"
    "CREATE TABLE group_figures(\"group\" INTEGER, figure TEXT, mean REAL, mean_low REAL, mean_high REAL);"
    "CREATE TABLE group_values(\"group\" INTEGER, figure TEXT, value REAL);";

struct Kind {
    std::string schema;
    DatabaseKind of;
    bool (*look)(const std::filesystem::path&);
};

const std::array<Kind, 5>& kinds() {
    static const std::array<Kind, 5> all{
        Kind{results_schema() + results_indexes(), kResultsDatabase, look_at_results},
        Kind{kFitSchema, kFitDatabase, look_at_fit},
        Kind{kCalibrationSchema, kCalibrationDatabase, look_at_calibration},
        Kind{kBatchSchema, kBatchDatabase, look_at_batch},
        Kind{kRepetitionsSchema, kRepetitionsDatabase, look_at_repetitions},
    };
    return all;
}

/// The value of a column of this name in a row of this number, if not any number is possible.
std::string usual_value(std::string_view column, int row) {
    static const std::map<std::string_view, std::vector<std::string_view>> kUsual{
        {"run", {"1"}},
        {"flow", {"1", "2"}},
        {"receiver", {"1"}},
        {"traffic", {"1"}},
        {"point", {"1"}},
        {"group", {"1", "2"}},
        {"kind", {"'sweep'", "'delay'", "'sent_gap'", "'lateness'", "'loss_period'", "'loss_distance'", "'rtt'"}},
        {"what", {"'gap'", "'size'"}},
        {"side", {"'sender'"}},
        {"state", {"'one clock'", "'probed'", "'complete'"}},
        {"clock", {"'one clock'"}},
        {"end", {"'complete'"}},
        {"high", {"10", "20", "30", "40", "50", "60"}},
        {"high_ns", {"10", "20", "30", "40", "50", "60"}},
        {"cdf", {"0.2", "0.5", "0.9"}},
        {"probability", {"0.2", "0.5", "0.9"}},
        {"unknown_because", {"NULL"}},
        {"distribution", {"'const'", "'exp'"}},
        {"logging", {"'none'"}},
        {"subject", {"'sender'"}},
        {"method", {"'rescaled range'", "'wavelet'"}},
        {"figure", {"'delay_p99_ns'"}},
        {"key", {"'size'", "'rate'"}},
        {"number", {"64", "512"}},
    };
    const auto found = kUsual.find(column);
    return found == kUsual.end() ? std::string()
                                 : std::string(found->second[static_cast<std::size_t>(row) % found->second.size()]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const TemporaryFolder folder("groma-fuzz");
    static const std::filesystem::path file = folder.file("it.sqlite");
    static const auto bases = [] {
        std::vector<DatabaseBytes> all;
        for (const Kind& kind : kinds()) {
            all.push_back(sample_database(kind.schema, kind.of, usual_value));
            tampered(all.back(), Choices({}), file);
            check(kind.look(file), "a reader finds nothing in a file that nobody has tampered with");
        }
        return all;
    }();
    Choices choices(std::span(data, size));
    const std::size_t kind = choices.next() % kinds().size();
    tampered(bases[kind], choices, file);
    try {
        (void)kinds()[kind].look(file);
    } catch (const RunError& error) {
        check(std::string_view(error.what()).find(file.string()) != std::string_view::npos, "a refusal names the file");
    }
    return 0;
}
