#include "decoder/packets/pcapng_options.hpp"

#include <algorithm>
#include <array>

#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "decoder/logs/flow_list.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostLogs = 1000;

constexpr std::array kRows{
    OptionRow{"-o", ValueKind::required, "FILE", "Output", "the capture; '-' is standard output"},
    OptionRow{"--quiet", ValueKind::none, "", "Output", "warnings and errors only"},
    OptionRow{"--flow", ValueKind::required, "N[,N...]", "Selection", "these flows only"},
};

constexpr CommandTable kTable{
    .program = "groma-dec pcapng",
    .summary = "writes the packets of logs as a capture, as Wireshark reads it",
    .usage = "LOG [LOG...] -o FILE",
    .rows = kRows,
    .words_name = "LOG",
    .most_words = kMostLogs,
    .examples =
        "Each log is an interface of the capture. Addresses, ports, times, lengths and Groma's header are the\n"
        "packets' own; what else stands in a header is made up (docs/guide/wireshark.md).\n\n"
        "  groma-dec pcapng send.glog recv.glog -o run.pcapng\n"
        "  groma-dec pcapng recv.glog --flow 3 -o - | wireshark -k -i -\n",
};

}  // namespace

PcapngOptions parse_pcapng_options(std::span<const std::string> arguments) {
    const CommandLine line(kTable, arguments);
    PcapngOptions options{.logs = line.words(),
                          .output = line.value("-o").value_or(""),
                          .flows = {},
                          .quiet = line.has("--quiet"),
                          .help = line.has("--help"),
                          .version = line.has("--version")};
    if (options.help or options.version) {
        return options;
    }
    UsageErrors errors(line);
    if (options.logs.empty()) {
        errors.add("no log given: groma-dec pcapng LOG [LOG...] -o FILE");
    }
    if (std::ranges::find(options.logs, "-") != options.logs.end()) {
        errors.add("'-': a log is read here and there for this; give it as a file");
    }
    if (options.output.empty()) {
        errors.add("where to? Give a file: -o FILE; '-o -' is standard output");
    }
    options.flows = errors.parsed(line, "--flow", parse_flow_list).value_or(options.flows);
    errors.throw_if_any();
    return options;
}

const CommandTable& pcapng_option_table() {
    return kTable;
}

}  // namespace groma
