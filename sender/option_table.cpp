#include "sender/option_table.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/net/time_limits.hpp"

namespace groma {

namespace {

constexpr std::string_view kFlow = "What to send (one flow, or several equal ones)";
constexpr std::string_view kTransport = "Options of the transport (what is not given stays as the kernel has it)";
constexpr std::string_view kStop = "When to stop (the first rule to fire ends a flow; default: after 10 s)";
constexpr std::string_view kRun = "The run";
constexpr std::string_view kLogs = "Logs";
constexpr std::string_view kDaemon = "Runs for others";
constexpr std::string_view kCalibration = "The data sheet of a pair of hosts (docs/guide/calibration.md)";
constexpr std::string_view kOutput = "Output";
constexpr auto kNone = ValueKind::none;
constexpr auto kRequired = ValueKind::required;
constexpr auto kOptional = ValueKind::optional;

constexpr std::array kRows{
    OptionRow{"--to", kRequired, "HOST[:PORT],...", kFlow,
              "where groma-recv runs; IPv6 with a port: [ADDRESS]:PORT; several receivers of a multicast --group"},
    OptionRow{"--transport", kRequired, "NAME", kFlow,
              "udp (default), tcp, icmp, sctp, dccp, udplite, mptcp, usrsctp; see --list-transports"},
    OptionRow{"--idt", kRequired, "DISTRIBUTION", kFlow,
              "time between departures: const:1000pps, exp:0.5ms, pareto:1.5:0.4ms, ... (default: const:1000pps)"},
    OptionRow{"--size", kRequired, "DISTRIBUTION", kFlow,
              "bytes of payload: const:512, unif:64:1472, ... (default: const:512)"},
    OptionRow{"--on", kRequired, "DISTRIBUTION", kFlow, "ON periods, such as exp:1s; needs --off"},
    OptionRow{"--off", kRequired, "DISTRIBUTION", kFlow, "OFF periods between them, such as exp:2s; needs --on"},
    OptionRow{"--profile", kRequired, "NAME", kFlow,
              "take transport, --idt and --size from an application profile (see --list-profiles)"},
    OptionRow{"--port", kRequired, "N", kFlow,
              "the receiver's data port (default: the receiver chooses); several flows take N, N+1, ..."},
    OptionRow{"--header", kRequired, "full|sequence|none", kFlow,
              "how much of the header packets carry, if they are large enough (default: full)"},
    OptionRow{"--meter", kRequired, "one-way|round-trip", kFlow,
              "round-trip: the receiver sends each packet back (default: one-way)"},
    OptionRow{"--payload", kRequired, "KIND", kFlow,
              "what is behind the header: random (default), zero, pattern:HEX, file:PATH, pcap:PATH"},
    OptionRow{"--lateness", kRequired, "catch-up|skip|shift", kFlow,
              "late packets: send all at once (default), leave out those whose slot is over, or shift what follows"},
    OptionRow{"--start", kRequired, "TIME", kFlow, "wait so long after the common start, such as 500ms"},
    OptionRow{"--start-spread", kRequired, "TIME", kFlow,
              "spread the starts of all flows evenly over so long, also those of an experiment"},
    OptionRow{"--flows", kRequired, "N", kFlow, "N equal flows, independent of each other (default: 1)"},
    OptionRow{"--duration", kRequired, "TIME", kStop, "nothing departs so long after the flow's start: 10s, 2min"},
    OptionRow{"--packets", kRequired, "N", kStop, "so many packets"},
    OptionRow{"--bytes", kRequired, "N", kStop, "so many bytes of payload: 1500, 64KiB, 10MB"},
    OptionRow{"--seed", kRequired, "N", kRun, "repeat the random numbers of an earlier run (default: a fresh seed)"},
    OptionRow{"--name", kRequired, "NAME", kRun, "the experiment's name, in logs and on the log server"},
    OptionRow{"--as", kRequired, "NAME", kRun,
              "send only the flows that the experiment file says go from NAME (default: all flows)"},
    OptionRow{"--control-port", kRequired, "N", kRun, "port of receivers whose port was not given (default: 9000)"},
    OptionRow{
        "--via", kRequired, "HOST[:PORT]", kRun,
        "have the run made by the groma-send --daemon there (port 9003 unless told otherwise); --log is then a name "
        "in its folder of logs"},
    OptionRow{
        "--passive", kRequired, "[ADDRESS:]PORT", kRun,
        "listen for groma-recv --dial instead of connecting (usual port: 9002): for receivers behind NAT. --to, or "
        "'to' in a file, is the name that a receiver calls in with; a single one needs none"},
    OptionRow{"--passive-wait", kRequired, "TIME", kRun, "wait so long for the receivers to call (default: 1min)"},
    OptionRow{"--threads", kRequired, "N|auto", kRun,
              "threads that send; auto: one for each 100,000 packets a second that are expected, but a core is left "
              "over (default: auto)"},
    OptionRow{"--pin", kRequired, "CORES", kRun,
              "keep the threads that send on these cores, by turns, and everything else off them: 1, or 0,2-3"},
    OptionRow{"--realtime", kNone, "", kRun,
              "send before all that is not real time (SCHED_FIFO), with memory locked; needs privileges"},
    OptionRow{"--signal-line", kRequired, "DEVICE[:rts|dtr]", kRun,
              "raise RTS and DTR of this serial port, or one of them, for each packet that is sent"},
    OptionRow{"--wait", kRequired, "TIME", kRun,
              "wait at the end for packets that are still on their way (default: 2s)"},
    OptionRow{"--timeout", kRequired, "TIME", kRun, kTimeoutHelp},
    OptionRow{"--require", kRequired, "FIGURE=LIMIT[,...]", kRun,
              "fail unless every flow keeps these, such as rate=0.1%,lateness-p99=20us,lambda2=0.01,loss=0 "
              "(docs/reference/metrics.md)"},
    OptionRow{"--dry-run", kOptional, "text|json", kRun, "print what would depart and when; needs no network"},
    OptionRow{"--log", kRequired, "FILE", kLogs,
              "keep the sender's log in FILE; refused when a log of this name is there already"},
    OptionRow{"--force", kNone, "", kLogs, "replace the log of an earlier run that --log names"},
    OptionRow{"--receiver-log", kRequired, "NAME", kLogs,
              "have the receiver keep its log under this name in its own folder of logs; refused when one is there "
              "already, but for groma-recv --replace-logs"},
    OptionRow{"--log-server", kRequired, "HOST[:PORT]", kLogs,
              "ship the logs of both sides to groma-log there (default port: 9001)"},
    OptionRow{"--receiver-log-server", kRequired, "HOST[:PORT]|none", kLogs,
              "where the receiver ships its log to, if not to --log-server"},
    OptionRow{"--log-transport", kRequired, "tcp|udp", kLogs,
              "what carries the logs of both sides to the log server (default: tcp)"},
    OptionRow{"--receiver-log-transport", kRequired, "tcp|udp", kLogs,
              "what carries the receiver's log, if not the same"},
    OptionRow{"--log-rate", kRequired, "RATE", kLogs,
              "the most that the sender's log may use over udp, such as 10Mbps (default: what the path carries)"},
    OptionRow{"--spool-dir", kRequired, "DIR", kLogs,
              "keep what the log server has not confirmed there (default: ~/.local/state/groma/spool)"},
    OptionRow{"--spool-limit", kRequired, "BYTES", kLogs, "use no more of that disk than this (default: 4GiB)"},
    OptionRow{"--resume-spool", kNone, "", kLogs,
              "send nothing: deliver the logs that earlier runs left in the spool, and exit"},
    OptionRow{"--log-block", kRequired, "N", kLogs,
              "write and ship N records of a flow at a time, 1 to 4096 (default: 4096, at least once a second)"},
    OptionRow{"--daemon", kOptional, "PORT", kDaemon,
              "make the runs that groma-send --via asks for (default port: 9003; 0: the kernel chooses)"},
    OptionRow{"--listen", kRequired, "ADDRESS", kDaemon,
              "the address to listen on; one that is not loopback also needs --open (default: 127.0.0.1 and ::1)"},
    OptionRow{
        "--open", kNone, "", kDaemon,
        "take runs from other hosts: listens on every address, or on that of --listen. Anyone who reaches the port "
        "can have this host send"},
    OptionRow{"--log-dir", kRequired, "DIR", kDaemon, "keep the logs that runs ask for there (default: none are kept)"},
    OptionRow{"--max-runs", kRequired, "N", kDaemon, "make at most N runs at once (default: 4)"},
    OptionRow{"--max-flows", kRequired, "N", kDaemon, "take at most N flows in one run (default: 100000)"},
    OptionRow{"--calibrate", kNone, "", kCalibration,
              "measure what this host and the receiver of --to keep and what it costs, and write their data sheet"},
    OptionRow{"--out", kRequired, "DIR", kCalibration,
              "the sheet, its database and its pictures; what is measured there is not measured again (default: "
              "calibration)"},
    OptionRow{"--quick", kNone, "", kCalibration, "a coarse one of a minute or two"},
    OptionRow{"--max-time", kRequired, "TIME", kCalibration,
              "plan for so long, and stop then (default: plan for 20min, or 2min with --quick)"},
    OptionRow{"--rates", kRequired, "LIST", kCalibration,
              "packets per second to ask for: 500,1kpps (default: 1, 2, 5 of each decade from 100 on)"},
    OptionRow{"--sizes", kRequired, "LIST", kCalibration, "bytes of payload (default: 64,512,1472)"},
    OptionRow{"--distributions", kRequired, "LIST", kCalibration,
              "of the gaps: const,exp,unif,normal,pareto,gamma,weibull (default: all)"},
    OptionRow{"--loggings", kRequired, "LIST", kCalibration,
              "off, local, and with --log-server tcp, udp (default: all)"},
    OptionRow{"--repetitions", kRequired, "N", kCalibration, "of each point (default: what the time allows, up to 5)"},
    OptionRow{"--point-time", kRequired, "TIME", kCalibration,
              "a point's shortest duration; low rates take up to five times that (default: 1s, or 0.5s with --quick)"},
    OptionRow{"--json", kOptional, "FILE", kOutput, "the report as JSON, in FILE or instead of the text"},
    OptionRow{"--quiet", kNone, "", kOutput, "no progress and no text, only errors (and --json)"},
    OptionRow{"--list-transports", kNone, "", kOutput, "print which transports work on this host, and exit"},
    OptionRow{"--list-profiles", kNone, "", kOutput, "print the application profiles and exit"},
};

constexpr std::string_view kExamples =
    "An experiment file brings its own flows; --seed, --name, --control-port, the stop rules and all options of\n"
    "the groups \"Logs\" and \"Output\" may be given with it. The distributions are described in "
    "docs/reference/models.md.\n"
    "\n"
    "Examples:\n"
    "  groma-send --to 10.0.0.2 --idt const:1000pps --size const:512 --duration 10s\n"
    "  groma-send --to [fd99::2]:9000 --transport tcp --idt exp:2000pps --size unif:64:1400 --packets 100000\n"
    "  groma-send --to beta --profile voip-g711.1-rtp --flows 30 --duration 1min --log send.glog --force "
    "--receiver-log recv.glog\n"
    "  groma-send --to beta --idt exp:1ms --on exp:1s --off exp:2s --seed 7 --dry-run\n"
    "  groma-send --passive 9002 --transport tcp --idt const:200pps --duration 30s\n"
    "  groma-send experiment.toml --seed 7 --log-server gamma --json=report.json\n"
    "  groma-send --calibrate --to 10.0.0.2 --quick\n"
    "\n"
    "Exit status: 0 when every flow was sent to its end, every record was kept and every requirement met, 1 when\n"
    "not, 2 for a mistake in the command line or the experiment file.\n";

/// The table's own rows and, behind those that describe a flow, those of the transports.
std::vector<OptionRow> all_rows() {
    std::vector<OptionRow> rows(kRows.begin(), kRows.end());
    const auto behind = std::ranges::find(rows, kStop, &OptionRow::group);
    std::vector<OptionRow> more;
    for (const TransportOption& option : transport_options()) {
        more.push_back({option.name, kRequired, option.row.value, kTransport, option.help});
    }
    rows.insert(behind, more.begin(), more.end());
    return rows;
}

}  // namespace

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
    static const std::vector<OptionRow> rows = all_rows();
    static const CommandTable table{
        "groma-send",
        "Generates flows from stochastic models, sends them on time to groma-recv, and proves what it sent.",
        "--to HOST [OPTIONS]\nEXPERIMENT.toml [OPTIONS]\n--passive PORT [OPTIONS]\n--via HOST EXPERIMENT.toml "
        "[OPTIONS]\n--calibrate --to HOST [OPTIONS]\n--daemon [OPTIONS]\n--resume-spool [OPTIONS]",
        rows,
        "EXPERIMENT.toml",
        1,
        kExamples,
    };
    return table;
}

}  // namespace groma
