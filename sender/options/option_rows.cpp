#include "sender/options/option_rows.hpp"

#include <array>

#include "common/cli/thread_options.hpp"
#include "common/http/metrics_server.hpp"
#include "common/http/web_options.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/page/page_thread.hpp"
#include "sender/options/run_options.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

namespace {

using namespace option_use;
using namespace option_group;

constexpr auto kNone = ValueKind::none;
constexpr auto kRequired = ValueKind::required;
constexpr auto kOptional = ValueKind::optional;

DryRunFormat parse_dry_run_format(std::string_view text) {
    if (text == "text") {
        return DryRunFormat::text;
    }
    if (text == "json") {
        return DryRunFormat::json_lines;
    }
    throw UsageError("unknown format '" + std::string(text) + "' (use text or json)");
}

void read_timeout(SenderOptions& options, const OptionValue& value) {
    const TimeLimits limits = TimeLimits::with_timeout(parse_timeout(value.text));
    options.times = limits.session;
    options.shipping.times = limits.shipping;
}

void read_dry_run(SenderOptions& options, const OptionValue& value) {
    options.action = SenderOptions::Action::dry_run;
    options.dry_run_format = value.has_text ? parse_dry_run_format(value.text) : DryRunFormat::text;
}

constexpr auto kMoreFlowRows = std::to_array<SenderOption>({
    {{"--reverse", kNone, "", kFlow,
      "the receivers send, and this host receives; also through a NAT that only this host can call out of",
      "The same holds for all flows of an experiment. 'direction' in a file says it of one flow."},
     not_via},
    {{"--bidir", kNone, "", kFlow, "each flow goes in both directions at once, as two flows"}, not_via},
    {{"--start-spread", kRequired, "TIME", kFlow,
      "spread the starts of all flows evenly over so long, also those of an experiment",
      "Flows of one constant rate are then not all due at one instant. In an experiment file it comes on top "
      "of their start."}},
    {{"--parallel", kRequired, "N", kFlow, "N streams, as --flows N"}, of_flow},
});

constexpr auto kRunRows = std::to_array<SenderOption>({
    {{"--test", kRequired, "NAME", kRun,
      "run a test by its name instead of an experiment file: voip, imix, ramp, latency-under-load, rrul; list: says "
      "what each does",
      "Each is an experiment file that is built in, with --to as its receiver (docs/guide/tests.md)."}},
    {{"--print", kNone, "", kRun, "with --test: print its experiment file, to be edited, and exit"}},
    {{"--seed", kRequired, "N", kRun, "repeat the random numbers of an earlier run (default: a fresh seed)",
      "The report and the logs name the seed of each run."},
     with_calibration},
    {{"--name", kRequired, "NAME", kRun, "the experiment's name, in logs and on the log server"}},
    {{"--as", kRequired, "NAME", kRun,
      "send only the flows that the experiment file says go from NAME (default: all flows)"},
     0,
     option_into::text<&SenderOptions::as>},
    {{"--agents", kRequired, "[ssh:]NAME[:PORT],...", kRun,
      "have the flows from these hosts of the experiment file sent there, by a groma-send --agent each (default port: "
      "9003), in one run with one start and one report; ssh: starts them for the run, over ssh",
      "A host says the same with 'agent = PORT' in [hosts]. An agent that is started listens on that PORT (default: "
      "the "
      "kernel chooses), takes runs of this program alone, and ends with it."}},
    {{"--agent-command", kRequired, "COMMAND", kRun,
      "start agents with this, their host and the agent's command behind it (default: ssh -o BatchMode=yes --)"}},
    {{"--control-port", kRequired, "N", kRun, "port of receivers whose port was not given (default: 9000)"},
     with_calibration},
    {{"--via", kRequired, "HOST[:PORT]", kRun,
      "have the run made by the groma-send --daemon there (default port: 9003); --log is then a name in its folder "
      "of "
      "logs",
      "The experiment file and files of values are read here, and the report comes back here. Ctrl-C ends the run "
      "there, a second one gives up waiting."},
     0,
     [](SenderOptions& options, const OptionValue& value) { options.via = read_via(value); },
     ReadTurn::early},
    {{"--key", kRequired, "FILE", kRun,
      "prove this key to receivers, daemons and log servers; none: prove none (default: $GROMA_KEY, or "
      "~/.config/groma/key if it is there)",
      "groma-key new makes one. What connects to other hosts is then under TLS 1.3, so that nobody on the way reads or "
      "changes it. A key that was found without this option is not proved over loopback."},
     with_calibration,
     option_into::text<&SenderOptions::key_file>},
    {{"--keys", kRequired, "DIR", kRun,
      "with --passive or --daemon: serve only peers that prove one of the keys in DIR (its files *.key), and programs "
      "of this user over loopback. SIGHUP has a daemon read DIR again; a service is restarted",
      "groma-key host makes these files. A passive sender reads them once."},
     not_via | with_daemon,
     option_into::text<&SenderOptions::keys>},
    {{"--open-to-anyone", kNone, "", kRun,
      "with --passive or --daemon, in place of --keys: serve whoever reaches the port, in clear",
      "For networks that nobody else can reach."},
     not_via | with_daemon,
     option_into::flag<&SenderOptions::to_anyone>},
    {{"--passive", kRequired, "[ADDRESS:]PORT", kRun,
      "listen for groma-recv --dial instead of connecting (usual port: 9002): for receivers behind NAT. --to, or "
      "'to' in a file, is the name that a receiver calls in with; a single one needs none",
      "Without ADDRESS it listens on every address; with a PORT of 0 the kernel chooses. --port is the port at "
      "which "
      "the sender awaits the flow. Flows of ICMP are refused, as are multicast and a source address."},
     not_via,
     read_passive,
     ReadTurn::late},
    {{"--passive-wait", kRequired, "TIME", kRun, "wait so long for the receivers to call, 1s to 24h (default: 1min)"},
     0,
     read_passive_wait,
     ReadTurn::late},
    {{"--passive-any-source", kNone, "", kRun,
      "let a receiver's flows go to another address than that of its session: for a NAT with a pool of addresses",
      "Without it, a token that is shown from another address is refused, and the report says so."},
     0,
     read_passive_any_source,
     ReadTurn::late},
    {{"--threads", kRequired, "N|auto", kRun,
      "threads that send; auto: one for each 100,000 packets a second or 20,000 flows that are expected, but "
      "a core is left over (default: auto)"},
     with_calibration,
     option_into::parsed<&SenderOptions::threads, parse_threads>,
     ReadTurn::early},
    {{"--pin", kRequired, "CORES", kRun,
      "keep the threads that send on these cores, by turns, and everything else of the program on the "
      "others: 1, or 0,2-3"},
     with_calibration | not_via,
     option_into::parsed<&SenderOptions::pin, parse_cores>,
     ReadTurn::early},
    {{"--realtime", kRequired, "auto|on|off", kRun,
      "send before all that is not real time (SCHED_FIFO), with memory locked; auto: if this user may, and a core "
      "is left over (default: auto)",
      kRealtimeMore},
     with_calibration | not_via,
     option_into::parsed<&SenderOptions::realtime, parse_realtime>},
    {{"--signal-line", kRequired, "DEVICE[:rts|dtr]", kRun,
      "raise RTS and DTR of this serial port, or one of them, for each packet that is sent",
      "The lines are raised for a moment, for an oscilloscope or a counter."},
     not_via,
     option_into::text<&SenderOptions::signal_line>},
    {{"--wait", kRequired, "TIME", kRun, kWaitHelp, "It ends as soon as everything has arrived."},
     with_calibration,
     option_into::parsed<&SenderOptions::wait, parse_wait>},
    {{"--timeout", kRequired, "TIME", kRun, kTimeoutHelp, kTimeoutMore}, with_calibration | with_daemon, read_timeout},
    {{"--require", kRequired, "FIGURE=LIMIT[,...]", kRun,
      "fail unless every flow keeps these, such as rate=0.1%,lateness-p99=20us,lambda2=0.01,loss=0 "
      "(docs/reference/metrics.md)",
      "Figures are rate; lateness-p50, -p90, -p99, -p99.9, -max; gap-p50 and so on (the error of gaps); "
      "gap-variation, lambda2, ks, a2, behind, batched, loss, missed, unsent; delay-p50 and so on, jitter, rtt-p50 "
      "and so on."}},
    {{"--dry-run", kOptional, "text|json", kRun, "print what would depart and when; needs no network"},
     0,
     read_dry_run},
});

constexpr auto kOutputRows = std::to_array<SenderOption>({
    {{"--json", kOptional, "FILE", kOutput, kJsonHelp}, 0, read_json<SenderOptions>},
    {{"--interval", kRequired, "TIME", kOutput,
      "print a row at each interval while the run goes on, with what was sent and what the receivers saw: 100ms to 1h",
      "Up to ten flows have rows of their own. Rows take the place of the line of progress. They are of the flows that "
      "this host sends."},
     not_via,
     option_into::parsed<&SenderOptions::interval, parse_interval>},
    {{"--jsonl", kOptional, "FILE", kOutput,
      "the rows of --interval as JSON lines, in FILE beside the text, or instead of the text on standard output "
      "(docs/reference/rows.md)"},
     not_via,
     [](SenderOptions& options, const OptionValue& value) { options.jsonl = value.has_text ? value.text : "-"; }},
    {{"--metrics", kRequired, kMetricsValue, kOutput, kMetricsHelp, kMetricsMore},
     not_via | with_daemon,
     option_into::parsed<&SenderOptions::metrics, parse_metrics_address>},
    {{"--web-cert", kRequired, "FILE", kOutput, kWebCertHelp, kWebCertMore},
     not_via | with_daemon,
     [](SenderOptions& options, const OptionValue& value) { options.web.certificate = value.text; }},
    {{"--web-key", kRequired, "FILE", kOutput, kWebKeyHelp},
     not_via | with_daemon,
     [](SenderOptions& options, const OptionValue& value) { options.web.key = value.text; }},
    {{"--web-tokens", kRequired, "DIR", kOutput, kWebTokensHelp, kWebTokensMore},
     not_via | with_daemon,
     [](SenderOptions& options, const OptionValue& value) { options.web.tokens = value.text; }},
    {{"--web", kRequired, kMetricsValue, kOutput, kWebHelp, kWebMore},
     not_via | with_daemon,
     option_into::parsed<&SenderOptions::page, parse_metrics_address>},
    {{"--web-hold", kRequired, "TIME", kOutput,
      "with --web: keep the page for so long after the run, or until Ctrl-C: 1s to 24h (default: the page ends with "
      "the run)"},
     not_via,
     option_into::parsed<&SenderOptions::page_hold, parse_web_hold>},
    {{"--verbose", kNone, "", kOutput, "print every table of the report, not only what fits a screen",
      "These are the sender's own error, both sides' counts, what arrived, round trips, clocks and logs."},
     0,
     option_into::flag<&SenderOptions::verbose>},
    {{"--quiet", kNone, "", kOutput, "no progress, no notes and no text, only errors (and --json, --jsonl)"},
     with_calibration | with_daemon,
     option_into::flag<&SenderOptions::quiet>},
    {{"--list-transports", kNone, "", kOutput,
      "print which transports work on this host and why the others do not, and exit"}},
    {{"--list-profiles", kNone, "", kOutput, "print the application profiles and exit"}},
});

}  // namespace

std::span<const SenderOption> more_flow_option_rows() {
    return kMoreFlowRows;
}

std::span<const SenderOption> run_option_rows() {
    return kRunRows;
}

std::span<const SenderOption> output_option_rows() {
    return kOutputRows;
}

}  // namespace groma
