#include "decoder/repetitions/repetition_options.hpp"

#include <algorithm>
#include <array>

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostInputs = 10'000;

constexpr std::array kRows{
    OptionRow{"--json", ValueKind::optional, "FILE", "Output",
              "all figures as JSON; without FILE on standard output, instead of the text"},
    OptionRow{"--csv", ValueKind::optional, "FILE", "Output",
              "a line for each group and figure; without FILE on standard output, instead of the text"},
    OptionRow{"--sqlite", ValueKind::required, "FILE", "Output",
              "all figures as an SQLite file, as groma-plot reads it", "The tables are those of docs/guide/batch.md."},
    OptionRow{"--force", ValueKind::none, "", "Output", "replace the SQLite file when it is there"},
    OptionRow{"--quiet", ValueKind::none, "", "Output", "no text; errors only"},
    OptionRow{"--figures", ValueKind::required, "NAME[,...]", "Statistics",
              "only these figures, such as loss_ratio,delay_p99_ns"},
    OptionRow{"--confidence", ValueKind::required, "SHARE", "Statistics",
              "confidence of the intervals, such as 99% or 0.99 (default: 95%)"},
};

constexpr CommandTable kTable{
    .program = "groma-dec batch",
    .summary = "says what the repetitions of runs say together: mean, spread, confidence intervals",
    .usage = "DIR [OPTIONS]\nRESULTS.sqlite... [OPTIONS]",
    .rows = kRows,
    .words_name = "DIR",
    .most_words = kMostInputs,
    .examples =
        "DIR is the folder of a batch of groma-mpi. Runs that differ in nothing but the repetition are a group.\n\n"
        "  groma-dec batch sweep\n"
        "  groma-dec batch sweep --confidence 99% --figures loss_ratio,delay_p99_ns\n"
        "  groma-dec batch sweep --sqlite groups.sqlite && groma-plot groups.sqlite\n"
        "  groma-dec batch monday.sqlite tuesday.sqlite\n",
};

double parse_confidence(std::string_view text) {
    const double share = parse_share(text);
    if (not(share > 0 and share < 1)) {
        throw UsageError(std::string("'").append(text).append(
            "' is not a confidence: use a share between 0 and 1, such as 95% or 0.95"));
    }
    return share;
}

void parse_figures(const CommandLine& line, RepetitionOptions& options, UsageErrors& errors) {
    const auto text = line.value("--figures");
    if (not text) {
        return;
    }
    std::vector<std::string_view> known;
    for (const RepeatedFigure& figure : repeated_figures()) {
        known.push_back(figure.name);
    }
    for (const std::string_view name : split_list(*text)) {
        if (std::ranges::find(known, name) == known.end()) {
            std::string all;
            for (const std::string_view each : known) {
                all += (all.empty() ? "" : ", ") + std::string(each);
            }
            errors.add("--figures '" + std::string(name) + "': there is no such figure" + did_you_mean(name, known) +
                       " (there are " + all + ")");
        }
        options.figures.emplace_back(name);
    }
}

void find_contradictions(const BatchCommand& command, UsageErrors& errors) {
    if (command.inputs.empty()) {
        errors.add("give the folder of a batch, or results of groma-dec --sqlite: groma-dec batch DIR");
    }
    if (command.json == "-" and command.csv == "-") {
        errors.add("--json and --csv cannot both go to standard output: give one a file, such as --csv=FILE");
    }
    if (command.sqlite == "-") {
        errors.add("--sqlite -: an SQLite file cannot go to standard output; give a file's name");
    }
    if (command.force and not command.sqlite) {
        errors.add("--force requires --sqlite FILE");
    }
}

}  // namespace

BatchCommand parse_batch_command(std::span<const std::string> arguments) {
    const CommandLine line(kTable, arguments);
    BatchCommand command;
    command.help = line.has("--help");
    command.version = line.has("--version");
    if (command.help or command.version) {
        return command;
    }
    UsageErrors errors(line);
    command.inputs = line.words();
    command.perhaps_values = line.detached_values();
    command.json = line.file_or_dash("--json");
    command.csv = line.file_or_dash("--csv");
    command.sqlite = line.value("--sqlite");
    command.force = line.has("--force");
    command.quiet = line.has("--quiet");
    command.statistics.confidence =
        errors.parsed(line, "--confidence", parse_confidence).value_or(command.statistics.confidence);
    parse_figures(line, command.statistics, errors);
    find_contradictions(command, errors);
    errors.throw_if_any();
    return command;
}

const CommandTable& batch_option_table() {
    return kTable;
}

}  // namespace groma
