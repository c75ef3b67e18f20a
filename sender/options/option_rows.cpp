#include "sender/options/option_rows.hpp"

#include <array>

#include "common/net/socket/time_limits.hpp"
#include "sender/options/run_options.hpp"

namespace groma {

namespace {

using namespace option_use;
using namespace option_group;

constexpr auto kNone = ValueKind::none;
constexpr auto kRequired = ValueKind::required;
constexpr auto kOptional = ValueKind::optional;

constexpr auto kRows = std::to_array<SenderOption>({
    {{"--start-spread", kRequired, "TIME", kFlow,
      "spread the starts of all flows evenly over so long, also those of an experiment",
      "Flows of one constant rate are then not all due at one instant. In an experiment file it comes on top "
      "of their start."}},
    {{"--seed", kRequired, "N", kRun, "repeat the random numbers of an earlier run (default: a fresh seed)",
      "The report and the logs name the seed of each run."},
     with_calibration},
    {{"--name", kRequired, "NAME", kRun, "the experiment's name, in logs and on the log server"}},
    {{"--as", kRequired, "NAME", kRun,
      "send only the flows that the experiment file says go from NAME (default: all flows)"}},
    {{"--control-port", kRequired, "N", kRun, "port of receivers whose port was not given (default: 9000)"},
     with_calibration},
    {{"--via", kRequired, "HOST[:PORT]", kRun,
      "have the run made by the groma-send --daemon there (default port: 9003); --log is then a name in its folder "
      "of "
      "logs",
      "The experiment file and files of values are read here, and the report comes back here. Ctrl-C ends the run "
      "there, a second one gives up waiting."}},
    {{"--passive", kRequired, "[ADDRESS:]PORT", kRun,
      "listen for groma-recv --dial instead of connecting (usual port: 9002): for receivers behind NAT. --to, or "
      "'to' in a file, is the name that a receiver calls in with; a single one needs none",
      "Without ADDRESS it listens on every address; with a PORT of 0 the kernel chooses. --port is the port at "
      "which "
      "the sender awaits the flow. Flows of ICMP are refused, as are multicast and a source address."},
     not_via},
    {{"--passive-wait", kRequired, "TIME", kRun, "wait so long for the receivers to call, 1s to 24h (default: 1min)"}},
    {{"--passive-any-source", kNone, "", kRun,
      "let a receiver's flows go to another address than that of its session: for a NAT with a pool of addresses",
      "Without it, a token that is shown from another address is refused, and the report says so."}},
    {{"--threads", kRequired, "N|auto", kRun,
      "threads that send; auto: one for each 100,000 packets a second or 20,000 flows that are expected, but "
      "a core is left over (default: auto)"},
     with_calibration},
    {{"--pin", kRequired, "CORES", kRun,
      "keep the threads that send on these cores, by turns, and everything else of the program on the "
      "others: 1, or 0,2-3"},
     with_calibration | not_via},
    {{"--realtime", kNone, "", kRun, kRealtimeHelp,
      "These are root, CAP_SYS_NICE and CAP_IPC_LOCK, or limits (ulimit -r, -l). What cannot be had is in the "
      "report."},
     with_calibration | not_via},
    {{"--signal-line", kRequired, "DEVICE[:rts|dtr]", kRun,
      "raise RTS and DTR of this serial port, or one of them, for each packet that is sent",
      "The lines are raised for a moment, for an oscilloscope or a counter."},
     not_via},
    {{"--wait", kRequired, "TIME", kRun, kWaitHelp, "It ends as soon as everything has arrived."}, with_calibration},
    {{"--timeout", kRequired, "TIME", kRun, kTimeoutHelp, kTimeoutMore}, with_calibration | with_daemon},
    {{"--require", kRequired, "FIGURE=LIMIT[,...]", kRun,
      "fail unless every flow keeps these, such as rate=0.1%,lateness-p99=20us,lambda2=0.01,loss=0 "
      "(docs/reference/metrics.md)",
      "Figures are rate; lateness-p50, -p90, -p99, -p99.9, -max; gap-p50 and so on (the error of gaps); "
      "gap-variation, lambda2, ks, a2, behind, batched, loss, missed, unsent."}},
    {{"--dry-run", kOptional, "text|json", kRun, "print what would depart and when; needs no network"}},
    {{"--log", kRequired, "FILE", kLogs,
      "keep the sender's log in FILE; refused when a log of this name is there already",
      "It is written as FILE.part and named FILE when it is complete. When one of them is there already, the run is "
      "refused before anything is sent, unless it is an empty file. FILE can also be a device, a FIFO, or - for "
      "standard output."}},
    {{"--force", kNone, "", kLogs, "replace the log of an earlier run that --log names",
      "A file that is not a log is never replaced."}},
    {{"--receiver-log", kRequired, "NAME", kLogs,
      "have the receiver keep its log under this name in its own folder of logs; refused when one is there already, "
      "but for groma-recv --replace-logs",
      "The run is then refused before anything is sent. With several receivers each log has its receiver's address "
      "in "
      "its name: recv.glog becomes recv-10.0.0.2.glog."}},
    {{"--log-server", kRequired, "HOST[:PORT]", kLogs,
      "ship the logs of both sides to groma-log there (default port: 9001)",
      "The receiver looks the name up on its own host."},
     with_calibration},
    {{"--receiver-log-server", kRequired, "HOST[:PORT]|none", kLogs,
      "where the receiver ships its log to, if not to --log-server"}},
    {{"--log-transport", kRequired, "tcp|udp", kLogs,
      "what carries the logs of both sides to the log server (default: tcp)"}},
    {{"--receiver-log-transport", kRequired, "tcp|udp", kLogs, "what carries the receiver's log, if not the same"}},
    {{"--log-rate", kRequired, "RATE", kLogs,
      "the most that the sender's log may use over udp, such as 10Mbps (default: what the path carries)",
      "RATE is at least 64kbps."},
     with_calibration},
    {{"--spool-dir", kRequired, "DIR", kLogs,
      "keep what the log server has not confirmed there (default: ~/.local/state/groma/spool)",
      "Every piece of a log that is shipped is kept there until it is confirmed. The default is groma/spool "
      "below $XDG_STATE_HOME, else below ~/.local/state, else /var/tmp/groma-spool-UID."},
     with_calibration | with_daemon | not_via},
    {{"--spool-limit", kRequired, "BYTES", kLogs, "use no more of that disk than this, at least 64KiB (default: 4GiB)",
      "When it is full, memory has to do (16 MiB a log), and the report says so."},
     with_calibration | not_via},
    {{"--resume-spool", kNone, "", kLogs,
      "send nothing: deliver the logs that earlier runs left in the spool, and exit",
      "It prints one line for each log. --log-server and --log-transport say another way than the one that "
      "was meant. The exit status is 0 only if everything was delivered."},
     not_via},
    {{"--log-block", kRequired, "N", kLogs, kLogBlockHelp,
      "This is for the sender's log; groma-recv(1) has the same option for the receiver's. Small blocks cost "
      "more of this host and of the network."},
     with_calibration},
    {{"--daemon", kOptional, "PORT", kDaemon,
      "make the runs that groma-send --via asks for (default port: 9003; 0: the kernel chooses)",
      "It makes several at once. SIGINT and SIGTERM end all runs in order; a second signal ends the program "
      "at once."},
     with_daemon},
    {{"--listen", kRequired, "ADDRESS", kDaemon,
      "the address to listen on; one that is not loopback also needs --open (default: 127.0.0.1 and ::1)"},
     of_daemon},
    {{"--open", kNone, "", kDaemon,
      "take runs from other hosts: listens on every address, or on that of --listen. Anyone who reaches the "
      "port can have this host send",
      "The daemon does not ask them who they are: use it in networks that you trust."},
     of_daemon},
    {{"--log-dir", kRequired, "DIR", kDaemon, "keep the logs that runs ask for there (default: none are kept)",
      "Runs give names, never paths, and write over nothing."},
     of_daemon},
    {{"--max-runs", kRequired, "N", kDaemon, "make at most N runs at once (default: 4)"}, of_daemon},
    {{"--max-flows", kRequired, "N", kDaemon, "take at most N flows in one run (default: 100000)"}, of_daemon},
    {{"--calibrate", kNone, "", kCalibration,
      "measure what this host and the receiver of --to keep and what it costs, and write their data sheet",
      "These are rates, lateness, gaps, loss, logging. The data sheet is printed; it stays in the folder "
      "of --out with "
      "its database and, by groma-plot(1), its pictures. The load is real. A calibration that was stopped "
      "goes on when "
      "the same command is given again. Options that describe flows, logs or the report cannot be given; "
      "those of the "
      "sender's threads, --transport, --lateness, --seed, --wait and --log-server can."},
     with_calibration},
    {{"--out", kRequired, "DIR", kCalibration,
      "the folder of the sheet, its database and its pictures; what is measured there is not measured again "
      "(default: calibration)",
      "What another pair of hosts, other settings or another way of sending have left there is refused."},
     of_calibration},
    {{"--quick", kNone, "", kCalibration, "a coarse one of a minute or two"}, of_calibration},
    {{"--max-time", kRequired, "TIME", kCalibration,
      "plan for so long, and begin no point after that (default: plan for 20min, or 2min with --quick)"},
     of_calibration},
    {{"--rates", kRequired, "LIST", kCalibration,
      "packets per second to ask for: 500,1kpps (default: 1, 2, 5 of each decade from 100 on)",
      "Nothing beyond the highest is tried."},
     of_calibration},
    {{"--sizes", kRequired, "LIST", kCalibration, "bytes of payload (default: 64,512,1472)"}, of_calibration},
    {{"--distributions", kRequired, "LIST", kCalibration,
      "distributions of the gaps: const,exp,unif,normal,pareto,gamma,weibull (default: all)"},
     of_calibration},
    {{"--loggings", kRequired, "LIST", kCalibration,
      "ways of logging: off, local, and with --log-server tcp, udp (default: all)"},
     of_calibration},
    {{"--repetitions", kRequired, "N", kCalibration,
      "repetitions of each point (default: what the time allows, up to 5)"},
     of_calibration},
    {{"--point-time", kRequired, "TIME", kCalibration,
      "a point's shortest duration; low rates take up to five times that (default: 1s, or 0.5s with "
      "--quick)"},
     of_calibration},
    {{"--json", kOptional, "FILE", kOutput, kJsonHelp}},
    {{"--quiet", kNone, "", kOutput, "no progress, no notes and no text, only errors (and --json)"},
     with_calibration | with_daemon},
    {{"--list-transports", kNone, "", kOutput,
      "print which transports work on this host and why the others do not, and exit"}},
    {{"--list-profiles", kNone, "", kOutput, "print the application profiles and exit"}},
});

}  // namespace

std::span<const SenderOption> sender_option_rows() {
    return kRows;
}

}  // namespace groma
