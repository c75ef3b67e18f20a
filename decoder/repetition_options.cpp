#include "decoder/repetition_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/cli/command_line.hpp"
#include "common/model/flow_text.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostInputs = 10'000;
constexpr std::uint32_t kFewestResamples = 100;
constexpr std::uint32_t kMostResamples = 1'000'000;

constexpr std::array kRows{
    OptionRow{"--json", ValueKind::optional, "FILE", "Output",
              "all figures as JSON; without FILE on standard output, instead of the text"},
    OptionRow{"--csv", ValueKind::optional, "FILE", "Output",
              "a line for each group and figure; without FILE on standard output, instead of the text"},
    OptionRow{"--sqlite", ValueKind::required, "FILE", "Output",
              "all figures as an SQLite file, as groma-plot reads it"},
    OptionRow{"--force", ValueKind::none, "", "Output", "replace the SQLite file when it is there"},
    OptionRow{"--quiet", ValueKind::none, "", "Output", "no text; errors only"},
    OptionRow{"--figures", ValueKind::required, "NAME[,...]", "Statistics",
              "only these figures, such as loss_ratio,delay_p99_ns"},
    OptionRow{"--confidence", ValueKind::required, "SHARE", "Statistics",
              "of the intervals, such as 99% or 0.99; 95% when not given"},
    OptionRow{"--bootstrap", ValueKind::required, "METHOD", "Statistics",
              "interval of the median: bca (when not given), percentile, or none"},
    OptionRow{"--resamples", ValueKind::required, "N", "Statistics", "of the bootstrap; 1999 when not given"},
    OptionRow{"--seed", ValueKind::required, "N", "Statistics", "of the bootstrap; 1 when not given"},
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

template <typename Number>
std::optional<Number> whole_number(const std::string& text) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() and end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

std::optional<double> share_of(std::string text) {
    const bool percent = text.ends_with('%');
    if (percent) {
        text.pop_back();
    }
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() or end != text.data() + text.size()) {
        return std::nullopt;
    }
    number = percent ? number / 100 : number;
    return number > 0 and number < 1 ? std::optional(number) : std::nullopt;
}

void parse_statistics(const CommandLine& line, RepetitionOptions& options, std::vector<std::string>& mistakes) {
    if (const auto text = line.value("--confidence")) {
        const auto share = share_of(*text);
        options.confidence = share.value_or(options.confidence);
        if (not share) {
            mistakes.push_back("--confidence " + *text + ": give a share between 0 and 1, such as 95% or 0.95");
        }
    }
    if (const auto text = line.value("--bootstrap")) {
        if (*text != "bca" and *text != "percentile" and *text != "none") {
            mistakes.push_back("--bootstrap " + *text + ": give bca, percentile, or none");
        }
        options.bootstrap = *text == "percentile" ? BootstrapMethod::percentile : BootstrapMethod::bca;
        if (*text == "none") {
            options.bootstrap.reset();
        }
    }
    if (const auto text = line.value("--resamples")) {
        const auto number = whole_number<std::uint32_t>(*text);
        if (not number or *number < kFewestResamples or *number > kMostResamples) {
            mistakes.push_back("--resamples " + *text + ": give a number from 100 to 1000000");
        }
        options.resamples = number.value_or(options.resamples);
    }
    if (const auto text = line.value("--seed")) {
        const auto number = whole_number<std::uint64_t>(*text);
        options.seed = number.value_or(options.seed);
        if (not number) {
            mistakes.push_back("--seed " + *text + ": give a whole number");
        }
    }
}

void parse_figures(const CommandLine& line, RepetitionOptions& options, std::vector<std::string>& mistakes) {
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
            mistakes.push_back("--figures '" + std::string(name) + "': there is no such figure" +
                               did_you_mean(name, known) + " (there are " + all + ")");
        }
        options.figures.emplace_back(name);
    }
}

std::optional<std::string> target(const CommandLine& line, const char* option) {
    return line.has(option) ? std::optional(line.value(option).value_or("-")) : std::nullopt;
}

void find_contradictions(const BatchCommand& command, std::vector<std::string>& mistakes) {
    if (command.inputs.empty()) {
        mistakes.emplace_back("give the folder of a batch, or results of groma-dec --sqlite: groma-dec batch DIR");
    }
    if (command.json == "-" and command.csv == "-") {
        mistakes.emplace_back(
            "--json and --csv cannot both go to standard output: give one a file, such as --csv=FILE");
    }
    if (command.sqlite == "-") {
        mistakes.emplace_back("--sqlite -: an SQLite file cannot go to standard output; give a file's name");
    }
    if (command.force and not command.sqlite) {
        mistakes.emplace_back("--force goes with --sqlite FILE");
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
    std::vector<std::string> mistakes = line.mistakes();
    command.inputs = line.words();
    command.json = target(line, "--json");
    command.csv = target(line, "--csv");
    command.sqlite = line.value("--sqlite");
    command.force = line.has("--force");
    command.quiet = line.has("--quiet");
    parse_statistics(line, command.statistics, mistakes);
    parse_figures(line, command.statistics, mistakes);
    find_contradictions(command, mistakes);
    std::string all;
    for (const std::string& mistake : mistakes) {
        all += (all.empty() ? "" : "\n") + mistake;
    }
    if (not all.empty()) {
        throw UsageError(all);
    }
    return command;
}

std::string batch_command_help() {
    return help_text(kTable);
}

}  // namespace groma
