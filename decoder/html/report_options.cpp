#include "decoder/html/report_options.hpp"

#include <array>
#include <vector>

#include "common/base/errors.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostLogs = 100'000;

constexpr std::array kRows{
    OptionRow{"-o", ValueKind::required, "FILE", "Output", "write the report there (default: report.html)"},
    OptionRow{"--force", ValueKind::none, "", "Output", "replace the report when it is there"},
    OptionRow{"--title", ValueKind::required, "TEXT", "Output",
              "text over the report instead of the experiment's name"},
    OptionRow{"--experiment", ValueKind::required, "FILE", "Output",
              "the experiment's file, to be in the report; experiment.toml of a batch is found by itself"},
    OptionRow{"--no-pictures", ValueKind::none, "", "Output", "tables only",
              "Without gnuplot there are no pictures either."},
    OptionRow{"--interval", ValueKind::required, "TIME", "Analysis",
              "length of the intervals of the series, such as 100ms (default: 1s)"},
    OptionRow{"--flow", ValueKind::required, "N[,N...]", "Analysis", "these flows only"},
    OptionRow{"--bottleneck", ValueKind::required, "RATE", "Analysis",
              "payload that the path of a connection can carry at most, such as 94Mbps (default: by its samples)",
              "The time ratio of a transfer is by this rate (docs/reference/metrics.md)."},
    OptionRow{"--require", ValueKind::required, "FIGURE=LIMIT[,...]", "Analysis",
              "fail unless every flow keeps these, such as rate=0.1%,lateness-p99=20us,lambda2=0.01,loss=0",
              "The figures are those of groma-send(1)."},
};

constexpr CommandTable kTable{
    .program = "groma-dec report",
    .summary = "writes one self-contained HTML file on a run: verdict, tables, pictures, where the figures are from",
    .usage = "LOG [LOG...] [OPTIONS]",
    .rows = kRows,
    .words_name = "LOG",
    .most_words = kMostLogs,
    .examples =
        "LOG is a file or a folder of logs, as of groma-dec itself. groma-plot draws the pictures.\n\n"
        "  groma-dec report send.glog recv.glog -o report.html\n"
        "  groma-dec report groma-logs/voip-1a2b3c4d --experiment voip.toml --require loss=0\n",
};

/// The options of groma-dec itself, for its parser.
std::vector<std::string> decoding_arguments(const CommandLine& line) {
    std::vector<std::string> arguments{"--quiet"};
    for (const char* option : {"--interval", "--flow", "--bottleneck", "--require"}) {
        if (const auto value = line.value(option)) {
            arguments.insert(arguments.end(), {option, *value});
        }
    }
    arguments.insert(arguments.end(), line.words().begin(), line.words().end());
    return arguments;
}

}  // namespace

ReportCommand parse_report_command(std::span<const std::string> arguments) {
    const CommandLine line(kTable, arguments);
    ReportCommand command;
    command.help = line.has("--help");
    command.version = line.has("--version");
    if (command.help or command.version) {
        return command;
    }
    UsageErrors errors(line);
    try {
        command.decoding = parse_decoder_options(decoding_arguments(line));
    } catch (const UsageError& error) {
        errors.add(error.what());
    }
    command.output = line.value("-o").value_or(command.output);
    command.force = line.has("--force");
    command.pictures = not line.has("--no-pictures");
    command.title = line.value("--title").value_or("");
    command.experiment = line.value("--experiment");
    errors.throw_if_any();
    return command;
}

const CommandTable& report_option_table() {
    return kTable;
}

}  // namespace groma
