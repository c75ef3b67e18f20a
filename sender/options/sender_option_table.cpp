#include "sender/options/sender_option_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/model/flow/flow_keys.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

namespace {

using namespace option_group;

constexpr std::array kGroups{
    GroupRow{kFlow, "one flow, or several equal ones", "These cannot be mixed with an experiment file."},
    GroupRow{
        kTransport, "what is not given stays as the kernel has it",
        "What the kernel refuses or makes less of is in the report. Transports in brackets are those that know the "
        "option; without brackets all do."},
    GroupRow{kStop, "the first rule to fire ends a flow; default: after 10 s"},
    GroupRow{kDaemon, "", "With --daemon nothing but these, --spool-dir, --timeout and --quiet can be given."},
    GroupRow{kCalibration, "see docs/guide/calibration.md"},
    GroupRow{kSearch, "see docs/guide/search.md"},
};

constexpr std::string_view kExamples =
    "An experiment file brings its own flows; --seed, --name, --control-port, the stop rules and all options of\n"
    "the groups \"Logs\" and \"Output\" may be given with it. The distributions are described in "
    "docs/reference/models.md.\n"
    "\n"
    "Examples:\n"
    "  groma-send --to 10.0.0.2 --idt const:1000pps --size const:512 --duration 10s\n"
    "  groma-send --to 10.0.0.2 --rate 50Mbps --size 1400 --duration 10s\n"
    "  groma-send --to 10.0.0.2 --rate ramp:10Mbps:100Mbps:30s --size 1400 --duration 30s\n"
    "  groma-send --to 10.0.0.2 --transport tcp --idt max --parallel 4 --duration 10s\n"
    "  groma-send --to [fd99::2]:9000 --transport tcp --idt exp:2000pps --size unif:64:1400 --packets 100000\n"
    "  groma-send --to beta --profile voip-g711.1-rtp --flows 30 --duration 1min --log send.glog --force "
    "--receiver-log recv.glog\n"
    "  groma-send --to beta --idt exp:1ms --on exp:1s --off exp:2s --seed 7 --dry-run\n"
    "  groma-send --passive 9002 --keys keys --transport tcp --idt const:200pps --duration 30s\n"
    "  groma-send experiment.toml --seed 7 --log-server gamma --json=report.json\n"
    "  groma-send --test latency-under-load --to 10.0.0.2\n"
    "  groma-send --to 10.0.0.2 --rate 10Mbps --size 1400 --search rate --require loss=0,delay-p99=1ms\n"
    "  groma-send --calibrate --to 10.0.0.2 --quick\n"
    "\n"
    "Exit status: 0 when every flow was sent to its end, every record was kept and every requirement met, 1 when\n"
    "not, 2 for an error in the command line or the experiment file.\n";

/// Of iperf3, and -H of netperf.
constexpr std::array kForeign{ForeignOption{"-c", "--to HOST"},
                              ForeignOption{"-H", "--to HOST"},
                              ForeignOption{"--client", "--to HOST"},
                              ForeignOption{"-p", "--to HOST:PORT"},
                              ForeignOption{"-t", "--duration 10s"},
                              ForeignOption{"--time", "--duration 10s"},
                              ForeignOption{"-n", "--bytes 10MB"},
                              ForeignOption{"-k", "--packets N"},
                              ForeignOption{"-u", "--transport udp, the default"},
                              ForeignOption{"--udp", "--transport udp, the default"},
                              ForeignOption{"--tcp", "--transport tcp"},
                              ForeignOption{"--sctp", "--transport sctp"},
                              ForeignOption{"-b", "--rate 50Mbps"},
                              ForeignOption{"--bitrate", "--rate 50Mbps"},
                              ForeignOption{"--bandwidth", "--rate 50Mbps"},
                              ForeignOption{"-l", "--size BYTES"},
                              ForeignOption{"--length", "--size BYTES"},
                              ForeignOption{"-P", "--parallel N"},
                              ForeignOption{"-R", "--reverse"},
                              ForeignOption{"-i", "--interval 1s"},
                              ForeignOption{"-J", "--json"},
                              ForeignOption{"-B", "--source ADDRESS"},
                              ForeignOption{"--bind", "--source ADDRESS"},
                              ForeignOption{"--cport", "--source-port PORT"},
                              ForeignOption{"-O", "groma-dec --skip-start TIME, of logs"},
                              ForeignOption{"--omit", "groma-dec --skip-start TIME, of logs"},
                              ForeignOption{"-S", "--ds-byte 0xb8"},
                              ForeignOption{"--tos", "--ds-byte 0xb8"},
                              ForeignOption{"--dscp", "--ds-byte 0xb8 (the DSCP times 4)"},
                              ForeignOption{"-C", "--congestion NAME"},
                              ForeignOption{"-M", "--mss N"},
                              ForeignOption{"-w", "--send-buffer and --receive-buffer"},
                              ForeignOption{"--window", "--send-buffer and --receive-buffer"}};

/// The flow options that --calibrate does not choose itself.
constexpr std::array<std::string_view, 3> kOfCalibratedFlows = {"--to", "--transport", "--lateness"};

SenderOption option_of(const FlowKeyRow& key) {
    const bool stops = key.turn == FlowKeyTurn::stop;
    const bool calibrated = std::ranges::find(kOfCalibratedFlows, key.option) != kOfCalibratedFlows.end();
    const unsigned uses = (stops ? 0U : option_use::of_flow) | (calibrated ? option_use::with_calibration : 0U);
    const ValueKind kind = key.value.empty() ? ValueKind::none : ValueKind::required;
    return {{key.option, kind, key.value, stops ? kStop : kFlow, key.help, key.more}, static_cast<std::uint8_t>(uses)};
}

/// Order: options of a flow, its transport, its end, then all others. Options of flows that are no keys come before
/// their number.
std::vector<SenderOption> joined_options() {
    std::vector<SenderOption> all;
    std::vector<SenderOption> stops;
    for (const FlowKeyRow& key : flow_keys()) {
        if (key.turn == FlowKeyTurn::count) {
            all.insert(all.end(), more_flow_option_rows().begin(), more_flow_option_rows().end());
        }
        if (not key.option.empty()) {
            (key.turn == FlowKeyTurn::stop ? stops : all).push_back(option_of(key));
        }
    }
    for (const TransportOption& option : transport_options()) {
        all.push_back({{option.name, ValueKind::required, option.row.value, kTransport, option.help, option.row.more},
                       option_use::of_flow});
    }
    all.insert(all.end(), stops.begin(), stops.end());
    for (const auto& rows : {run_option_rows(), log_option_rows(), daemon_option_rows(), calibration_option_rows(),
                             search_option_rows(), output_option_rows()}) {
        all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
}

const std::vector<SenderOption>& all_options() {
    static const std::vector<SenderOption> options = joined_options();
    return options;
}

std::vector<OptionRow> table_rows() {
    std::vector<OptionRow> rows;
    for (const SenderOption& option : all_options()) {
        rows.push_back(option.row);
    }
    return rows;
}

}  // namespace

std::vector<std::string_view> sender_options(std::uint8_t uses) {
    std::vector<std::string_view> names;
    for (const SenderOption& option : all_options()) {
        if ((option.uses & uses) != 0) {
            names.push_back(option.row.name);
        }
    }
    return names;
}

std::vector<std::string_view> sender_options_without(std::uint8_t uses) {
    std::vector<std::string_view> names;
    for (const SenderOption& option : all_options()) {
        if ((option.uses & uses) == 0) {
            names.push_back(option.row.name);
        }
    }
    return names;
}

void read_options(const CommandLine& line, UsageErrors& errors, SenderOptions& options, std::uint8_t uses,
                  ReadTurn turn) {
    constexpr unsigned kReaders = option_use::with_daemon | option_use::of_daemon | option_use::of_calibration;
    for (const SenderOption& option : all_options()) {
        if ((option.uses & kReaders) == uses and option.turn == turn) {
            read_option(line, errors, option.row.name, option.read, options);
        }
    }
}

const std::vector<TransportOption>& transport_options() {
    static const std::vector<TransportOption> options = [] {
        std::vector<TransportOption> all;
        for (const TransportOptionRow& row : transport_option_rows()) {
            std::string name = "--" + std::string(row.key);
            std::ranges::replace(name, '_', '-');
            std::string help(row.help);
            for (std::size_t i = 0; i < row.only.size(); ++i) {
                help += (i == 0 ? " [" : ", ") + std::string(to_string(row.only[i]));
            }
            all.push_back({std::move(name), help + (row.only.empty() ? "" : "]"), row});
        }
        return all;
    }();
    return options;
}

const CommandTable& sender_option_table() {
    static const std::vector<OptionRow> rows = table_rows();
    static const CommandTable table{
        "groma-send",
        "Generates flows from stochastic models, sends them on time to groma-recv, and proves what it sent.",
        "--to HOST[:PORT] [OPTIONS]\nEXPERIMENT.toml [OPTIONS]\n--test NAME --to HOST[:PORT] [OPTIONS]\n--passive "
        "[ADDRESS:]PORT [OPTIONS]\n"
        "--via HOST[:PORT] EXPERIMENT.toml [OPTIONS]\n--calibrate --to HOST[:PORT] [OPTIONS]\n"
        "--daemon[=PORT] [OPTIONS]\n--resume-spool [OPTIONS]",
        rows,
        "EXPERIMENT.toml",
        1,
        kExamples,
        {},
        {},
        kGroups,
        {},
        kForeign,
    };
    return table;
}

}  // namespace groma
