#include "decoder/html/report_command.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "decoder/analysis/decoding_progress.hpp"
#include "decoder/analysis/run_analysis.hpp"
#include "decoder/files/output.hpp"
#include "decoder/html/html_report.hpp"
#include "decoder/html/report_options.hpp"
#include "decoder/html/report_pictures.hpp"
#include "decoder/logs/stored_experiment.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostFileBytes = 1U << 20U;
constexpr int kFoldersAbove = 3;

void refuse_bad_targets(const ReportCommand& command, const std::vector<std::string>& logs) {
    for (const std::string& log : logs) {
        std::error_code missing;
        if (std::filesystem::equivalent(log, command.output, missing)) {
            throw UsageError("cannot write the report to " + command.output + ": it is one of the logs to be read");
        }
    }
    if (command.output != "-" and not command.force and std::filesystem::exists(command.output)) {
        throw UsageError("cannot write " + command.output +
                         ": it is there already; give another name with -o, or --force to replace it");
    }
}

/// The file that a batch of groma-mpi left above its runs' logs; empty when there is none.
std::string experiment_above(const std::vector<std::string>& logs) {
    if (logs.empty() or logs.front() == "-") {
        return {};
    }
    std::error_code error;
    std::filesystem::path folder = std::filesystem::weakly_canonical(logs.front(), error).parent_path();
    for (int i = 0; i < kFoldersAbove; ++i, folder = folder.parent_path()) {
        if (std::filesystem::exists(folder / "batch.sqlite", error) and
            std::filesystem::exists(folder / "experiment.toml", error)) {
            return (folder / "experiment.toml").string();
        }
    }
    return {};
}

std::string content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::string text;
    if (in) {
        text.resize(kMostFileBytes + 1);
        in.read(text.data(), static_cast<std::streamsize>(text.size()));
        text.resize(static_cast<std::size_t>(in.gcount()));
    }
    if (text.empty()) {
        throw RunError("cannot read the experiment's file " + path +
                       ": --experiment names a text file that is not empty");
    }
    return text;
}

std::string command_text(std::span<const std::string> arguments) {
    std::string text = "groma-dec report";
    for (const std::string& argument : arguments) {
        text += " " + argument;
    }
    return text;
}

Results decoded(const ReportCommand& command, const std::vector<std::string>& logs, Clock& clock) {
    std::vector<LogSource> sources;
    std::uint64_t bytes = 0;
    for (const std::string& log : logs) {
        sources.push_back(open_log_source(log));
        bytes += sources.back().bytes;
    }
    DecodingProgress progress(bytes, false, clock);
    Results results = analyze(
        sources, {command.decoding.interval, command.decoding.flows, progress.callback(), command.decoding.required});
    progress.end();
    return results;
}

bool requirements_are_met(const Results& results) {
    for (const RunResult& run : results.runs) {
        for (const CheckedRequirement& one : run.requirements) {
            if (not one.met) {
                return false;
            }
        }
    }
    return true;
}

void warn(const std::string& warning) {
    std::fprintf(stderr, "groma-dec: warning: %s\n", plain_text(warning).c_str());
}

}  // namespace

int run_report_command(std::span<const std::string> arguments, Clock& clock) {
    const ReportCommand command = parse_report_command(arguments);
    if (command.help or command.version) {
        const std::string text = command.help ? help_text(report_option_table()) : "groma-dec " GROMA_VERSION "\n";
        return write_output("-", text) ? kExitOk : kExitFailed;
    }
    std::vector<std::string> logs = command.decoding.logs;
    const std::vector<std::string> incomplete = put_logs_in_place_of_folders(logs);
    refuse_bad_targets(command, logs);
    const std::string experiment = command.experiment.value_or(experiment_above(logs));
    const std::string experiment_file = experiment.empty() ? std::string() : content_of(experiment);
    const Results results = decoded(command, logs, clock);
    DrawnPictures drawn = command.pictures ? draw_pictures(results) : DrawnPictures{{}, "not asked for"};
    for (const auto* list : {&incomplete, &results.warnings}) {
        for (const std::string& warning : *list) {
            warn(warning);
        }
    }
    if (command.pictures and not drawn.error.empty()) {
        warn("the report has no pictures, or not all: " + drawn.error);
    }
    const ReportContent content{.title = command.title,
                                .command = command_text(arguments),
                                .results = results,
                                .warnings = incomplete,
                                .pictures = std::move(drawn.pictures),
                                .no_pictures_because = drawn.error,
                                .experiment_file = experiment_file,
                                .experiment_path = experiment};
    const bool read = write_output(command.output, html_report(content));
    return read and not results.damaged and requirements_are_met(results) ? kExitOk : kExitFailed;
}

}  // namespace groma
