#include "decoder/options.hpp"

#include <algorithm>
#include <array>

#include "common/base/errors.hpp"
#include "common/cli/command_line.hpp"
#include "common/model/flow_text.hpp"
#include "decoder/flow_list.hpp"

namespace groma {

namespace {

constexpr Nanos kShortestInterval{1000};
constexpr std::size_t kMostLogs = 100'000;

constexpr std::array kRows{
    OptionRow{"--json", ValueKind::optional, "FILE", "Output",
              "all figures as JSON; without FILE on standard output, instead of the text"},
    OptionRow{"--csv", ValueKind::optional, "FILE", "Output",
              "figures per interval as comma-separated values; without FILE on standard output, instead of the text"},
    OptionRow{
        "--jsonl", ValueKind::optional, "FILE", "Output",
        "all figures as JSON lines, an object for each flow, interval and total; without FILE on standard output, "
        "instead of the text"},
    OptionRow{"--octave", ValueKind::required, "FILE", "Output",
              "all figures as a script for GNU Octave and MATLAB, such as results.m; '-' is standard output"},
    OptionRow{"--hdr", ValueKind::required, "FILE", "Output",
              "delays per flow and interval as an interval log of HdrHistogram; '-' is standard output"},
    OptionRow{"--sqlite", ValueKind::required, "FILE", "Output",
              "all figures as an SQLite file, as groma-plot reads it"},
    OptionRow{"--force", ValueKind::none, "", "Output", "replace the SQLite file when it is there"},
    OptionRow{"--quiet", ValueKind::none, "", "Output", "no text and no progress; warnings and errors only"},
    OptionRow{"--interval", ValueKind::required, "TIME", "Analysis",
              "length of the intervals of the series, such as 100ms; 1s when not given"},
    OptionRow{"--flow", ValueKind::required, "N[,N...]", "Analysis", "these flows only"},
    OptionRow{"--from", ValueKind::required, "TIME", "Analysis",
              "only packets that left at this time of the run or later, such as 2s"},
    OptionRow{"--until", ValueKind::required, "TIME", "Analysis", "only packets that left before this time of the run"},
    OptionRow{"--skip-start", ValueKind::required, "TIME", "Analysis", "the same as --from: leave a warm-up out"},
    OptionRow{"--skip-end", ValueKind::required, "TIME", "Analysis",
              "leave out what left within this time before the last departure of the run (reads the logs twice)"},
    OptionRow{"--size", ValueKind::required, "BYTES[..BYTES]", "Analysis",
              "only packets of such a payload, as 64..512"},
    OptionRow{
        "--group", ValueKind::required, "KEY[,KEY...]", "Analysis",
        "the figures of flows together that have the same hosts, transport, profile or label (name without number)"},
    OptionRow{"--require", ValueKind::required, "FIGURE=LIMIT[,...]", "Analysis",
              "fail unless every flow keeps these, such as rate=0.1%,lateness-p99=20us,lambda2=0.01,loss=0"},
};

constexpr CommandTable kTable{
    .program = "groma-dec",
    .summary = "computes what there is to know from the logs of senders and receivers",
    .usage =
        "[OPTIONS] LOG [LOG...]\nbatch DIR|RESULTS.sqlite... [OPTIONS]\npcapng LOG [LOG...] -o FILE\n"
        "report LOG [LOG...] -o FILE.html",
    .rows = kRows,
    .words_name = "LOG",
    .most_words = kMostLogs,
    .examples =
        "LOG is a file, '-' for standard input, or an experiment in a log server's directory: DIR/EXPERIMENT.\n"
        "'groma-dec pcapng' makes a capture of logs, 'groma-dec report' an HTML file, 'groma-dec batch' says what "
        "repetitions\n"
        "say together: see their --help.\n\n"
        "  groma-dec send.glog recv.glog\n"
        "  groma-dec groma-logs/voip-1a2b3c4d\n"
        "  groma-dec send.glog recv.glog --sqlite results.sqlite && groma-plot results.sqlite\n"
        "  groma-dec *.glog --json | jq '.runs[].total'\n"
        "  groma-dec *.glog --skip-start 2s --skip-end 1s --group hosts,transport\n"
        "  groma-dec recv.glog --csv=series.csv --interval 100ms --flow 1,3\n"
        "  groma-dec send.glog recv.glog --octave results.m --hdr delays.hlog\n"
        "  groma-dec pcapng send.glog recv.glog -o run.pcapng\n"
        "  groma-dec report send.glog recv.glog -o report.html\n"
        "  groma-dec batch sweep\n\n"
        "groma-dec fit FILE... finds the distributions in captures and logs: groma-dec fit --help\n",
};

void parse_interval(const CommandLine& line, DecoderOptions& options, std::vector<std::string>& mistakes) {
    const auto text = line.value("--interval");
    if (not text) {
        return;
    }
    try {
        options.interval = parse_duration(*text);
        if (options.interval < kShortestInterval) {
            mistakes.push_back("--interval " + *text + ": too short; the shortest interval is 1us");
        }
    } catch (const UsageError& error) {
        mistakes.push_back(std::string("--interval: ") + error.what());
    }
}

void parse_flows(const CommandLine& line, DecoderOptions& options, std::vector<std::string>& mistakes) {
    const auto text = line.value("--flow");
    if (not text) {
        return;
    }
    try {
        options.flows = parse_flow_list("--flow", *text);
    } catch (const UsageError& error) {
        mistakes.emplace_back(error.what());
    }
}

void parse_required(const CommandLine& line, DecoderOptions& options, std::vector<std::string>& mistakes) {
    const auto text = line.value("--require");
    if (not text) {
        return;
    }
    try {
        options.required = parse_requirements(*text);
    } catch (const UsageError& error) {
        mistakes.push_back(std::string("--require: ") + error.what());
    }
}

std::optional<Nanos> time_value(const CommandLine& line, const char* option, std::vector<std::string>& mistakes) {
    const auto text = line.value(option);
    if (not text) {
        return std::nullopt;
    }
    try {
        return parse_duration(*text);
    } catch (const UsageError& error) {
        mistakes.push_back(std::string(option) + ": " + error.what());
        return std::nullopt;
    }
}

void parse_cut(const CommandLine& line, DecoderOptions& options, std::vector<std::string>& mistakes) {
    Cut& cut = options.cut;
    cut.from = time_value(line, line.has("--from") ? "--from" : "--skip-start", mistakes);
    cut.until = time_value(line, "--until", mistakes);
    cut.skip_end = time_value(line, "--skip-end", mistakes);
    if (line.has("--from") and line.has("--skip-start")) {
        mistakes.emplace_back("--from and --skip-start say the same; give one of them");
    }
    if (line.has("--until") and line.has("--skip-end")) {
        mistakes.emplace_back("--until and --skip-end both say where to end; give one of them");
    }
    if (cut.from and cut.until and *cut.from >= *cut.until) {
        mistakes.emplace_back("--until must be later than --from");
    }
    try {
        cut.sizes = line.has("--size") ? std::optional(parse_size_range(*line.value("--size"))) : std::nullopt;
    } catch (const UsageError& error) {
        mistakes.push_back(std::string("--size: ") + error.what());
    }
}

void parse_groups(const CommandLine& line, DecoderOptions& options, std::vector<std::string>& mistakes) {
    const auto text = line.value("--group");
    if (not text) {
        return;
    }
    try {
        options.group_by = parse_group_keys(*text);
    } catch (const UsageError& error) {
        mistakes.push_back(std::string("--group: ") + error.what());
    }
}

/// An optional file: "-" when the option stands alone.
std::optional<std::string> target(const CommandLine& line, const char* option) {
    if (not line.has(option)) {
        return std::nullopt;
    }
    return line.value(option).value_or("-");
}

void find_contradictions(const DecoderOptions& options, std::vector<std::string>& mistakes) {
    if (options.logs.empty()) {
        mistakes.push_back("no log given: groma-dec LOG [LOG...]; '-' is standard input");
    }
    if (std::count(options.logs.begin(), options.logs.end(), "-") > 1) {
        mistakes.push_back("'-' is given twice, but there is one standard input");
    }
    const char* first = nullptr;
    for (const auto& [option, file] : options.targets()) {
        if (file != "-") {
            continue;
        }
        if (first != nullptr) {
            mistakes.push_back(std::string(first) + " and " + option +
                               " cannot both go to standard output: give one a file, such as " + option + "=FILE");
        }
        first = option;
    }
    if (options.hdr and std::ranges::find(options.logs, "-") != options.logs.end()) {
        mistakes.emplace_back("--hdr reads the logs once more: give them as files, not as '-'");
    }
    if (options.sqlite == "-") {
        mistakes.push_back("--sqlite -: an SQLite file cannot go to standard output; give a file's name");
    }
    if (options.hdr and options.cut != Cut{}) {
        mistakes.emplace_back(
            "--hdr has the delays of whole flows: it does not go with --from, --until, --skip-start, --skip-end, "
            "--size");
    }
    if (options.force and not options.sqlite) {
        mistakes.push_back("--force goes with --sqlite FILE");
    }
}

}  // namespace

std::vector<DecoderOptions::Target> DecoderOptions::targets() const {
    std::vector<Target> found;
    const auto add = [&found](const char* option, const std::optional<std::string>& file) {
        if (file) {
            found.push_back({option, *file});
        }
    };
    add("--json", json);
    add("--csv", csv);
    add("--jsonl", jsonl);
    add("--octave", octave);
    add("--hdr", hdr);
    return found;
}

bool DecoderOptions::prints_text() const {
    return not quiet and std::ranges::none_of(targets(), [](const Target& target) { return target.file == "-"; });
}

DecoderOptions parse_decoder_options(std::span<const std::string> arguments) {
    const CommandLine line(kTable, arguments);
    DecoderOptions options;
    options.help = line.has("--help");
    options.version = line.has("--version");
    if (options.help or options.version) {
        return options;
    }
    std::vector<std::string> mistakes = line.mistakes();
    options.logs = line.words();
    options.json = target(line, "--json");
    options.csv = target(line, "--csv");
    options.jsonl = target(line, "--jsonl");
    options.octave = line.value("--octave");
    options.hdr = line.value("--hdr");
    options.sqlite = line.value("--sqlite");
    options.force = line.has("--force");
    options.quiet = line.has("--quiet");
    parse_interval(line, options, mistakes);
    parse_flows(line, options, mistakes);
    parse_required(line, options, mistakes);
    parse_groups(line, options, mistakes);
    parse_cut(line, options, mistakes);
    find_contradictions(options, mistakes);
    if (not mistakes.empty()) {
        std::string all;
        for (const auto& mistake : mistakes) {
            all += (all.empty() ? "" : "\n") + mistake;
        }
        throw UsageError(all);
    }
    return options;
}

std::string decoder_help() {
    return help_text(kTable);
}

}  // namespace groma
