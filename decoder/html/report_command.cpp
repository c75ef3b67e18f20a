#include "decoder/html/report_command.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/child_process.hpp"
#include "common/os/output.hpp"
#include "common/os/own_program.hpp"
#include "common/os/temporary_folder.hpp"
#include "decoder/analysis/decoding_progress.hpp"
#include "decoder/analysis/run_analysis.hpp"
#include "decoder/files/sqlite_report.hpp"
#include "decoder/html/html_report.hpp"
#include "decoder/html/report_options.hpp"
#include "decoder/logs/stored_experiment.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostFileBytes = 1U << 20U;
constexpr int kFoldersAbove = 3;
constexpr std::size_t kMostPictureBytes = 4U << 20U;
// The order is that of the report. Not all that groma-plot can draw: what says the same in another way is left out.
constexpr const char* kKinds =
    "throughput,packet-rate,sent-rate,delay,jitter,loss,delay-loss,loss-periods,loss-free-runs,reordering-extent,"
    "n-reordering,rtt,connection-rtt,cwnd,retransmissions,"
    "gap-cdf,gap-qq,lateness-ccdf,delay-cdf,delay-ccdf,rtt-cdf";

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
    Results results = analyze(sources, {.interval = command.decoding.interval,
                                        .flows = command.decoding.flows,
                                        .progress = progress.callback(),
                                        .required = command.decoding.required,
                                        .bottleneck_bps = command.decoding.bottleneck_bps});
    progress.end();
    return results;
}

struct DrawnPictures {
    std::vector<ReportPicture> pictures;
    std::string error;  ///< why there are none, or not all; empty: nothing is wrong
};

std::string svg_of(const std::filesystem::path& file) {
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    if (error or size > kMostPictureBytes) {
        return {};
    }
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// "run2-delay" is the delay of the second of several runs.
ReportPicture picture_of(const std::filesystem::path& file) {
    ReportPicture picture{0, file.stem().string(), svg_of(file)};
    if (picture.stem.starts_with("run")) {
        const std::size_t dash = picture.stem.find('-');
        std::istringstream number(picture.stem.substr(3, dash - 3));
        std::size_t run = 0;
        if (dash != std::string::npos and number >> run and run > 0) {
            picture.run = run - 1;
            picture.stem.erase(0, dash + 1);
        }
    }
    return picture;
}

/// What the program printed are the paths of the pictures, and notes on what is not drawn.
std::vector<ReportPicture> pictures_in(const std::string& output, const std::filesystem::path& folder) {
    std::vector<ReportPicture> pictures;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const std::filesystem::path file(line);
        if (file.parent_path() == folder and file.extension() == ".svg") {
            pictures.push_back(picture_of(file));
        }
    }
    std::erase_if(pictures, [](const ReportPicture& picture) { return picture.svg.empty(); });
    return pictures;
}

/// Runs the groma-plot that lies beside this program, or that of PATH, in a folder of its own below the one for
/// temporary files. Never throws for what is wrong with it: a report without pictures is still a report.
DrawnPictures draw_pictures(const Results& results) {
    try {
        const TemporaryFolder scratch("groma-report");
        const auto file = scratch.path() / "results.sqlite";
        const auto folder = scratch.path() / "pictures";
        write_sqlite_report(results, file);
        const std::string program = own_program("groma-plot");
        const ChildResult result =
            run_child({program, file.string(), "-o", folder.string(), "--only", kKinds}, std::string_view());
        DrawnPictures drawn{pictures_in(result.output, folder), {}};
        if (result.status != 0) {
            std::string said = result.output;
            std::ranges::replace(said, '\n', ' ');
            drawn.error = "groma-plot could not draw them: " + said.substr(0, 500);
        }
        return drawn;
    } catch (const SystemError& error) {
        const bool missing = error.errno_value() == ENOENT;
        return {{}, missing ? "there is no groma-plot beside groma-dec or in PATH" : std::string(error.what())};
    } catch (const std::exception& error) {
        return {{}, error.what()};
    }
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
