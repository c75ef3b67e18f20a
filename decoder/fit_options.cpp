#include "decoder/fit_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "common/base/errors.hpp"
#include "common/cli/command_line.hpp"
#include "common/model/flow_text.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostFiles = 1000;
constexpr std::uint64_t kFewestPackets = 3;
constexpr std::uint64_t kMostPackets = 1'000'000'000;
constexpr std::uint64_t kMostFlows = 100'000;
constexpr std::uint64_t kMostLags = 10'000;

constexpr std::array kRows{
    OptionRow{"--filter", ValueKind::required, "EXPRESSION", "Packets",
              "only the packets of a capture that this lets through, as for tcpdump: 'udp port 9000'"},
    OptionRow{"--flow", ValueKind::required, "N[,N...]", "Packets", "these flows only, by their numbers in the report"},
    OptionRow{"--fewest", ValueKind::required, "N", "Packets",
              "fit flows of at least so many packets; 100 when not given"},
    OptionRow{"--top", ValueKind::required, "N", "Packets",
              "fit the N flows with the most packets; 100 when not given"},
    OptionRow{"--acks", ValueKind::none, "", "Packets",
              "packets of TCP, SCTP and DCCP without payload count as well; otherwise they are left out"},
    OptionRow{"--lags", ValueKind::required, "N", "Figures", "lags of the autocorrelation; 100 when not given"},
    OptionRow{"--constant-within", ValueKind::required, "SHARE", "Figures",
              "gaps or sizes that vary by no more than this share of their median are constant; 1% when not given"},
    OptionRow{"--profile", ValueKind::optional, "FILE", "Output",
              "the flows as an experiment file for groma-send; without FILE on standard output, instead of the text"},
    OptionRow{"--empirical", ValueKind::none, "", "Output",
              "in the profile the distributions as they were seen, and not the best families"},
    OptionRow{"--to", ValueKind::required, "HOST[:PORT]", "Output",
              "receiver of the profile's flows; 127.0.0.1 when not given"},
    OptionRow{"--json", ValueKind::optional, "FILE", "Output",
              "all figures as JSON; without FILE on standard output, instead of the text"},
    OptionRow{"--sqlite", ValueKind::required, "FILE", "Output", "all figures as an SQLite file"},
    OptionRow{"--force", ValueKind::none, "", "Output", "replace files that are there"},
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
        "(arrivals). What the figures mean: docs/fit.md.\n\n"
        "  groma-dec fit game.pcap\n"
        "  groma-dec fit game.pcap --filter 'udp port 27960' --profile=game.toml --to 10.99.0.2\n"
        "  groma-dec fit send.glog --sqlite fit.sqlite\n"
        "  tcpdump -i eth0 -w - udp | groma-dec fit - --top 5 --json\n",
};

using Mistakes = std::vector<std::string>;

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() and end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

template <typename Number>
void parse_number_of(const CommandLine& line, const std::string& option, std::uint64_t least, std::uint64_t most,
                     Number& number, Mistakes& mistakes) {
    const auto text = line.value(option);
    if (not text) {
        return;
    }
    const auto value = whole_number(*text);
    if (not value or *value < least or *value > most) {
        mistakes.push_back(option + " " + *text + ": give a whole number from " + std::to_string(least) + " to " +
                           std::to_string(most));
        return;
    }
    number = static_cast<Number>(*value);
}

void parse_flows(const CommandLine& line, FitOptions& options, Mistakes& mistakes) {
    const auto text = line.value("--flow");
    if (not text) {
        return;
    }
    for (const std::string_view piece : split_list(*text)) {
        const auto number = whole_number(piece);
        if (not number or *number == 0 or *number > kMostFlows) {
            mistakes.push_back("--flow " + *text + ": '" + std::string(piece) +
                               "' is no number of a flow; give numbers from 1 on, such as --flow 1,3");
            return;
        }
        options.flows.insert(static_cast<std::uint32_t>(*number));
    }
}

/// "1%" or "0.01".
void parse_share(const CommandLine& line, FitOptions& options, Mistakes& mistakes) {
    const auto text = line.value("--constant-within");
    if (not text) {
        return;
    }
    const bool percent = text->ends_with('%');
    const std::string digits = percent ? text->substr(0, text->size() - 1) : *text;
    double share = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), share);
    share /= percent ? 100 : 1;
    if (error != std::errc() or end != digits.data() + digits.size() or not(share >= 0 and share <= 1)) {
        mistakes.push_back("--constant-within " + *text + ": give a share from 0 to 1, such as 1% or 0.01");
        return;
    }
    options.constant_within = share;
}

void parse_receiver(const CommandLine& line, FitOptions& options, Mistakes& mistakes) {
    const auto text = line.value("--to");
    if (not text) {
        return;
    }
    try {
        static_cast<void>(parse_target(*text));
        options.to = *text;
    } catch (const UsageError& error) {
        mistakes.push_back(std::string("--to: ") + error.what());
    }
    if (not line.has("--profile")) {
        mistakes.emplace_back("--to goes with --profile");
    }
}

std::optional<std::string> target(const CommandLine& line, const char* option) {
    return line.has(option) ? std::optional(line.value(option).value_or("-")) : std::nullopt;
}

void find_contradictions(const FitOptions& options, Mistakes& mistakes) {
    if (options.files.empty()) {
        mistakes.emplace_back("no file given: groma-dec fit FILE [FILE...]; '-' is a capture on standard input");
    }
    if (std::ranges::count(options.files, "-") > 1) {
        mistakes.emplace_back("'-' is given twice, but there is one standard input");
    }
    if (options.json == "-" and options.profile == "-") {
        mistakes.emplace_back(
            "--json and --profile cannot both go to standard output: give one a file, such as --profile=FILE");
    }
    if (options.sqlite == "-") {
        mistakes.emplace_back("--sqlite -: an SQLite file cannot go to standard output; give a file's name");
    }
    if (options.empirical and not options.profile) {
        mistakes.emplace_back("--empirical goes with --profile");
    }
    if (options.force and not options.sqlite and not options.profile and not options.json) {
        mistakes.emplace_back("--force goes with --sqlite, --profile or --json");
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
    Mistakes mistakes = line.mistakes();
    options.files = line.words();
    options.json = target(line, "--json");
    options.sqlite = line.value("--sqlite");
    options.profile = target(line, "--profile");
    options.filter = line.value("--filter").value_or("");
    options.bare = line.has("--acks");
    options.empirical = line.has("--empirical");
    options.force = line.has("--force");
    options.quiet = line.has("--quiet");
    parse_number_of(line, "--fewest", kFewestPackets, kMostPackets, options.fewest, mistakes);
    parse_number_of(line, "--top", 1, kMostFlows, options.top, mistakes);
    parse_number_of(line, "--lags", 1, kMostLags, options.lags, mistakes);
    parse_flows(line, options, mistakes);
    parse_share(line, options, mistakes);
    parse_receiver(line, options, mistakes);
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

std::string fit_help() {
    return help_text(kTable);
}

}  // namespace groma
