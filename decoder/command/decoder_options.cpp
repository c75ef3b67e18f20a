#include "decoder/command/decoder_options.hpp"

#include <algorithm>
#include <array>

#include "common/base/errors.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/model/text/quantity_text.hpp"
#include "decoder/logs/flow_list.hpp"

namespace groma {

namespace {

constexpr Nanos kShortestInterval{1000};
constexpr std::size_t kMostLogs = 100'000;
constexpr std::uint64_t kMostThreads = 256;

constexpr std::array kRows{
    OptionRow{"--json", ValueKind::optional, "FILE", "Output",
              "all figures as one JSON object; without FILE on standard output, instead of the text"},
    OptionRow{
        "--csv", ValueKind::optional, "FILE", "Output",
        "figures per interval as comma-separated values; without FILE on standard output, instead of the text",
        "The format is that of RFC 4180. A run with several flows has its total as flow 0; groups are there as well, "
        "by name. Text that a spreadsheet would take for a formula has an apostrophe in front."},
    OptionRow{
        "--jsonl", ValueKind::optional, "FILE", "Output",
        "all figures as JSON lines, an object for each flow, interval and total; without FILE on standard output, "
        "instead of the text",
        "There is an object with a type for each run and each log, too."},
    OptionRow{"--octave", ValueKind::required, "FILE", "Output",
              "all figures as a script for GNU Octave and MATLAB, such as results.m; '-' is standard output",
              "It makes a variable groma."},
    OptionRow{
        "--hdr", ValueKind::required, "FILE", "Output",
        "one-way delays as an interval log of HdrHistogram, a histogram for each flow and interval; '-' is standard "
        "output",
        "The logs of receivers are read once more."},
    OptionRow{"--sqlite", ValueKind::required, "FILE", "Output",
              "all figures as an SQLite file, as groma-plot reads it",
              "A file that is there is refused, unless --force is given."},
    OptionRow{"--force", ValueKind::none, "", "Output", "replace the SQLite file when it is there"},
    OptionRow{"--verbose", ValueKind::none, "", "Output", "print every table, not only what fits a screen",
              "So does --thorough."},
    OptionRow{"--quiet", ValueKind::none, "", "Output", "no text and no progress; warnings and errors only"},
    OptionRow{"--follow", ValueKind::optional, "TIME", "Analysis",
              "the logs are still being written: show a row for each interval as they grow, and all figures when they "
              "have their end; with TIME, give up a log that did not grow for so long; Ctrl-C ends it",
              "With --jsonl on standard output the rows are JSON lines of the type live. "
              "The figures at the end are those of the closed logs. SIGINT and SIGTERM end it with the figures of what "
              "there is. A log that is being written is found under its name with .part after it."},
    OptionRow{"--threads", ValueKind::required, "N", "Analysis",
              "read a log by so many threads, 1 to 256 (default: as many as there are cores)",
              "No figure depends on it."},
    OptionRow{"--interval", ValueKind::required, "TIME", "Analysis",
              "length of the intervals of the series, such as 100ms (default: 1s)",
              "Intervals are aligned to the start of the run."},
    OptionRow{"--flow", ValueKind::required, "N[,N...]", "Analysis", "these flows only"},
    OptionRow{"--from", ValueKind::required, "TIME", "Analysis",
              "only packets that left at this time of the run or later, such as 2s",
              "Time counts from the start of the run, on the sender's clock."},
    OptionRow{"--until", ValueKind::required, "TIME", "Analysis", "only packets that left before this time of the run"},
    OptionRow{"--skip-start", ValueKind::required, "TIME", "Analysis", "the same as --from: leave a warm-up out"},
    OptionRow{"--skip-end", ValueKind::required, "TIME", "Analysis",
              "leave out what left within this time before the last departure of the run (reads the logs twice)"},
    OptionRow{"--size", ValueKind::required, "BYTES[..BYTES]", "Analysis", "only packets of such a payload, as 64..512",
              "What there is between them makes loss patterns, gaps, jitter and IPDV unknown."},
    OptionRow{
        "--group", ValueKind::required, "KEY[,KEY...]", "Analysis",
        "the figures of flows together that have the same hosts, transport, profile or label (name without number)",
        "Several keys are given with commas between."},
    OptionRow{"--bottleneck", ValueKind::required, "RATE", "Analysis",
              "payload that the path of a connection can carry at most, such as 94Mbps (default: by its samples)",
              "The time ratio of a transfer is by this rate (docs/reference/metrics.md)."},
    OptionRow{
        "--thorough", ValueKind::none, "", "Analysis",
        "also delays and round trips from the schedule on, dispersion and Allan deviation of gaps",
        "Decoding takes half as long again, and 4 bytes of memory for each packet. docs/reference/metrics.md says "
        "what these figures are."},
    OptionRow{"--require", ValueKind::required, "FIGURE=LIMIT[,...]", "Analysis",
              "fail unless every flow keeps these, such as rate=0.1%,lateness-p99=20us,lambda2=0.01,loss=0",
              "The figures are those of groma-send(1)."},
};

constexpr CommandTable kTable{
    .program = "groma-dec",
    .summary = "computes what there is to know from the logs of senders and receivers",
    .usage =
        "[OPTIONS] LOG [LOG...]\nbatch DIR|RESULTS.sqlite... [OPTIONS]\nfit [OPTIONS] FILE [FILE...]\n"
        "pcapng LOG [LOG...] -o FILE [OPTIONS]\nreport LOG [LOG...] [OPTIONS]",
    .rows = kRows,
    .words_name = "LOG",
    .most_words = kMostLogs,
    .examples =
        "LOG is a file, '-' for standard input, or a folder of logs: of groma-send --logs, or DIR/EXPERIMENT of a log "
        "server.\n"
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
        "  groma-dec --follow send.glog recv.glog\n"
        "  groma-dec pcapng send.glog recv.glog -o run.pcapng\n"
        "  groma-dec report send.glog recv.glog -o report.html\n"
        "  groma-dec batch sweep\n\n"
        "groma-dec fit FILE... finds the distributions in captures and logs: groma-dec fit --help\n",
};

Nanos parse_interval(std::string_view text) {
    const bool is_zero = not text.empty() and text.find_first_not_of("0.") == std::string_view::npos;
    const Nanos interval = is_zero ? Nanos{0} : parse_duration(text);
    if (interval < kShortestInterval) {
        throw UsageError("'" + std::string(text) + "' is too short: use 1us or more");
    }
    return interval;
}

double parse_bottleneck(std::string_view text) {
    const Rate rate = parse_rate(text);
    const auto* bits = std::get_if<BitRate>(&rate);
    if (bits == nullptr) {
        throw UsageError(std::string("'").append(text).append("' is not a rate of bits: use such as 94Mbps"));
    }
    return bits->bps;
}

void parse_cut(const CommandLine& line, Cut& cut, UsageErrors& errors) {
    cut.from = errors.parsed(line, line.has("--from") ? "--from" : "--skip-start", parse_duration);
    cut.until = errors.parsed(line, "--until", parse_duration);
    cut.skip_end = errors.parsed(line, "--skip-end", parse_duration);
    cut.sizes = errors.parsed(line, "--size", parse_size_range);
    if (line.has("--from") and line.has("--skip-start")) {
        errors.add("--from and --skip-start say the same; give one of them");
    }
    if (line.has("--until") and line.has("--skip-end")) {
        errors.add("--until and --skip-end both say where to end; give one of them");
    }
    if (cut.from and cut.until and *cut.from >= *cut.until) {
        errors.add("--until must be later than --from");
    }
}

void find_contradictions(const DecoderOptions& options, UsageErrors& errors) {
    if (options.logs.empty()) {
        errors.add("no log given: groma-dec LOG [LOG...]; '-' is standard input");
    }
    if (std::count(options.logs.begin(), options.logs.end(), "-") > 1) {
        errors.add("'-' is given twice, but there is one standard input");
    }
    const char* first = nullptr;
    for (const auto& [option, file] : options.targets()) {
        if (file != "-") {
            continue;
        }
        if (first != nullptr) {
            errors.add(std::string(first) + " and " + option +
                       " cannot both go to standard output: give one a file, such as " + option + "=FILE");
        }
        first = option;
    }
    if (options.hdr and std::ranges::find(options.logs, "-") != options.logs.end()) {
        errors.add("--hdr reads the logs once more: give them as files, not as '-'");
    }
    if (options.follow and std::ranges::find(options.logs, "-") != options.logs.end()) {
        errors.add("standard input cannot be followed: --follow reads the logs again at their end; give files");
    }
    if (options.sqlite == "-") {
        errors.add("--sqlite -: an SQLite file cannot go to standard output; give a file's name");
    }
    if (options.hdr and options.cut != Cut{}) {
        errors.add(
            "--hdr has the delays of whole flows: it does not go with --from, --until, --skip-start, --skip-end, "
            "--size");
    }
    if (options.force and not options.sqlite) {
        errors.add("--force requires --sqlite FILE");
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
    UsageErrors errors(line);
    options.logs = line.words();
    options.perhaps_values = line.detached_values();
    options.json = line.file_or_dash("--json");
    options.csv = line.file_or_dash("--csv");
    options.jsonl = line.file_or_dash("--jsonl");
    options.octave = line.value("--octave");
    options.hdr = line.value("--hdr");
    options.sqlite = line.value("--sqlite");
    options.force = line.has("--force");
    options.quiet = line.has("--quiet");
    options.verbose = line.has("--verbose");
    options.follow = line.has("--follow");
    options.patience = errors.parsed(line, "--follow", parse_duration);
    options.threads = static_cast<unsigned>(errors.number(line, "--threads", 1, kMostThreads).value_or(0));
    options.interval = errors.parsed(line, "--interval", parse_interval).value_or(options.interval);
    options.thorough = line.has("--thorough");
    options.flows = errors.parsed(line, "--flow", parse_flow_list).value_or(options.flows);
    options.bottleneck_bps = errors.parsed(line, "--bottleneck", parse_bottleneck);
    options.required = errors.parsed(line, "--require", parse_requirements).value_or(options.required);
    options.group_by = errors.parsed(line, "--group", parse_group_keys).value_or(options.group_by);
    parse_cut(line, options.cut, errors);
    find_contradictions(options, errors);
    errors.throw_if_any();
    return options;
}

const CommandTable& decoder_option_table() {
    return kTable;
}

}  // namespace groma
