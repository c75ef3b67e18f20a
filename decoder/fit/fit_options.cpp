#include "decoder/fit/fit_options.hpp"

#include <algorithm>
#include <array>

#include "common/base/errors.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "decoder/logs/flow_list.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostFiles = 1000;
constexpr std::uint64_t kFewestPackets = 3;
constexpr std::uint64_t kMostPackets = 1'000'000'000;
constexpr std::uint64_t kMostFlows = 100'000;
constexpr std::uint64_t kMostLags = 10'000;

constexpr std::array kRows{
    OptionRow{"--filter", ValueKind::required, "EXPRESSION", "Packets",
              "only the packets of a capture that this lets through, as for tcpdump: 'udp port 9000'",
              "See tcpdump(8) and pcap-filter(7)."},
    OptionRow{"--flow", ValueKind::required, "N[,N...]", "Packets", "these flows only, by their numbers in the report",
              "The numbers go from 1 on in the order in which flows appear, after the filter."},
    OptionRow{"--fewest", ValueKind::required, "N", "Packets",
              "fit flows of at least so many packets, 3 at least (default: 100)"},
    OptionRow{"--top", ValueKind::required, "N", "Packets", "fit the N flows with the most packets (default: 100)"},
    OptionRow{"--acks", ValueKind::none, "", "Packets",
              "packets of TCP, SCTP and DCCP without payload count as well; otherwise they are left out",
              "They are acknowledgements and handshakes."},
    OptionRow{"--lags", ValueKind::required, "N", "Figures", "lags of the autocorrelation (default: 100)"},
    OptionRow{"--constant-within", ValueKind::required, "SHARE", "Figures",
              "gaps or sizes that vary by no more than this share of their median are constant (default: 1%)",
              "They are constant whatever else fits. 0: only equal ones are."},
    OptionRow{"--profile", ValueKind::optional, "FILE", "Output",
              "the flows as an experiment file for groma-send; without FILE on standard output, instead of the text"},
    OptionRow{"--empirical", ValueKind::none, "", "Output",
              "write the distributions into the profile as they were seen, and not the best families"},
    OptionRow{"--to", ValueKind::required, "HOST[:PORT]", "Output",
              "receiver of the profile's flows (default: 127.0.0.1)"},
    OptionRow{"--json", ValueKind::optional, "FILE", "Output",
              "all figures as JSON; without FILE on standard output, instead of the text"},
    OptionRow{"--sqlite", ValueKind::required, "FILE", "Output", "all figures as an SQLite file"},
    OptionRow{"--force", ValueKind::none, "", "Output", "replace files that are there; otherwise they are refused"},
    OptionRow{"--quiet", ValueKind::none, "", "Output", "no text; warnings and errors only"},
};

constexpr CommandTable kTable{
    .program = "groma-dec fit",
    .summary =
        "finds the distributions and the dependence of the packets in captures and logs, and writes them as flows to "
        "send",
    .usage = "[OPTIONS] FILE [FILE...]",
    .rows = kRows,
    .words_name = "FILE",
    .most_words = kMostFiles,
    .examples =
        "FILE is a capture (pcap, pcapng; '-' is one on standard input) or a log of groma-send (departures) or "
        "groma-recv\n"
        "(arrivals). What the figures mean: docs/guide/fit.md.\n\n"
        "  groma-dec fit game.pcap\n"
        "  groma-dec fit game.pcap --filter 'udp port 27960' --profile=game.toml --to 10.99.0.2\n"
        "  groma-dec fit send.glog --sqlite fit.sqlite\n"
        "  tcpdump -i eth0 -w - udp | groma-dec fit - --top 5 --json\n",
};

std::set<std::uint32_t> parse_flows(std::string_view text) {
    std::set<std::uint32_t> numbers;
    for (const FlowId flow : parse_flow_list(text)) {
        numbers.insert(flow.value);
    }
    return numbers;
}

double share_of_all(std::string_view text) {
    const double share = parse_share(text);
    if (share > 1) {
        throw UsageError("'" + std::string(text) + "' is more than all: use a share from 0 to 1, such as 1% or 0.01");
    }
    return share;
}

std::string checked_receiver(std::string_view text) {
    static_cast<void>(parse_target(text));
    return std::string(text);
}

void find_contradictions(const CommandLine& line, const FitOptions& options, UsageErrors& errors) {
    if (options.files.empty()) {
        errors.add("no file given: groma-dec fit FILE [FILE...]; '-' is a capture on standard input");
    }
    if (std::ranges::count(options.files, "-") > 1) {
        errors.add("'-' is given twice, but there is one standard input");
    }
    if (options.json == "-" and options.profile == "-") {
        errors.add("--json and --profile cannot both go to standard output: give one a file, such as --profile=FILE");
    }
    if (options.sqlite == "-") {
        errors.add("--sqlite -: an SQLite file cannot go to standard output; give a file's name");
    }
    if (line.has("--to") and not options.profile) {
        errors.add("--to requires --profile");
    }
    if (options.empirical and not options.profile) {
        errors.add("--empirical requires --profile");
    }
    if (options.force and not options.sqlite and not options.profile and not options.json) {
        errors.add("--force requires --sqlite, --profile or --json");
    }
}

}  // namespace

FitOptions parse_fit_options(std::span<const std::string> arguments) {
    const CommandLine line(kTable, arguments);
    FitOptions options;
    options.help = line.has("--help");
    options.version = line.has("--version");
    if (options.help or options.version) {
        return options;
    }
    UsageErrors errors(line);
    options.files = line.words();
    options.perhaps_values = line.detached_values();
    options.json = line.file_or_dash("--json");
    options.sqlite = line.value("--sqlite");
    options.profile = line.file_or_dash("--profile");
    options.filter = line.value("--filter").value_or("");
    options.bare = line.has("--acks");
    options.empirical = line.has("--empirical");
    options.force = line.has("--force");
    options.quiet = line.has("--quiet");
    options.fewest = errors.number(line, "--fewest", kFewestPackets, kMostPackets).value_or(options.fewest);
    options.top = errors.number(line, "--top", 1, kMostFlows).value_or(options.top);
    options.lags = errors.number(line, "--lags", 1, kMostLags).value_or(options.lags);
    options.flows = errors.parsed(line, "--flow", parse_flows).value_or(options.flows);
    options.constant_within = errors.parsed(line, "--constant-within", share_of_all).value_or(options.constant_within);
    options.to = errors.parsed(line, "--to", checked_receiver).value_or(options.to);
    find_contradictions(line, options, errors);
    errors.throw_if_any();
    return options;
}

const CommandTable& fit_option_table() {
    return kTable;
}

}  // namespace groma
