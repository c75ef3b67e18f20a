#include "receiver/receiver_option_table.hpp"

#include <array>

#include "common/access/key_source.hpp"
#include "common/base/errors.hpp"
#include "common/cli/option_value.hpp"
#include "common/cli/thread_options.hpp"
#include "common/http/metrics_server.hpp"
#include "common/http/web_options.hpp"
#include "common/model/flow/flow_keys.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/model/transport/port_range.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/page/page_thread.hpp"

namespace groma {

namespace {

constexpr std::string_view kListening = "Listening";
constexpr std::string_view kDialling = "Dialling a sender";
constexpr std::string_view kReceiving = "Receiving";
constexpr std::string_view kWatching = "Watching";

constexpr std::uint64_t kSmallestSpool = 64U << 10U;
constexpr auto kFlag = ValueKind::none;
constexpr auto kValue = ValueKind::required;

constexpr std::uint64_t kMostSessions = 10'000;

std::uint64_t parse_spool_limit(std::string_view text) {
    const Bytes limit = parse_bytes(text);
    if (limit.count < kSmallestSpool) {
        throw UsageError("'" + std::string(text) + "' is too small for a spool: use 64KiB or more");
    }
    return limit.count;
}

void read_timeout(ReceiverOptions& options, const OptionValue& value) {
    const TimeLimits limits = TimeLimits::with_timeout(parse_timeout(value.text));
    options.server.times = limits.session;
    options.server.shipping.times = limits.receiver_shipping;
}

constexpr auto kOptions = std::to_array<ProgramOption<ReceiverOptions>>({
    {{"--listen", kValue, "ADDRESS", kListening,
      "the address to listen on; one that is not loopback also needs --open or --open-to-anyone (default: 127.0.0.1 "
      "and "
      "::1)"}},
    {{"--open", kFlag, "", kListening,
      "with --keys: serve senders from other hosts; listens on every address, or on that of --listen"}},
    {{"--open-to-anyone", kFlag, "", kListening,
      "the same without keys: anyone who reaches the port can have this host receive and log, in clear",
      "For networks that nobody else can reach. The program and the reports of senders say so."}},
    {{"--keys", kValue, "DIR", kListening,
      "serve only senders that prove one of the keys in DIR (its files *.key), and those of this user over loopback. "
      "SIGHUP has DIR read again; a service is restarted",
      "groma-key host makes these files. What senders say is then under TLS 1.3."},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.keys.folder = v.text; }},
    {{"--end-with-key", kFlag, "", kListening, kEndWithKeyHelp, kEndWithKeyMore}},
    {{"--audit", kValue, "FILE", kListening, kAuditHelp, kAuditMore}, option_into::text<&ReceiverOptions::audit>},
    {{"--port", kValue, "PORT", kListening,
      "the control port; 0: the kernel chooses, the choice is printed (default: 9000)"}},
    {{"--port-file", kValue, "FILE", kListening, "write the control port to FILE once it is open, for scripts",
      "The file is complete when it appears."},
     option_into::text<&ReceiverOptions::port_file>},
    {{"--dial", kValue, "HOST[:PORT]", kDialling,
      "call a groma-send --passive there instead of listening (default port: 9002): for a receiver behind NAT. "
      "Every connection and every flow's first datagram goes out from here",
      "One session is served at a time. When it is over, or no program listens there, the sender is called again."}},
    {{"--as", kValue, "NAME", kDialling, "what the sender's flows call this receiver (default: this host's name)"}},
    {{"--once", kFlag, "", kDialling, "exit when one run has been received"}},
    {{"--keepalive", kValue, "TIME", kDialling,
      "keep each flow's way through the NAT open with a datagram this often, 100ms to 1h (default: 10s)",
      "This is done while flows of datagrams run. It must be less than the time after which the NAT forgets a "
      "silent flow, which is 30 s or more with most."}},
    {{"--key", kValue, "FILE", kReceiving,
      "prove this key to log servers, and with --dial to the sender; none: prove none (default: $GROMA_KEY, or "
      "~/.config/groma/key if it is there)",
      "groma-key new makes one. What goes to them is then under TLS 1.3. A key that was found without this option is "
      "not proved over loopback."},
     option_into::text<&ReceiverOptions::key_file>},
    {{"--data-ports", kValue, "FIRST-LAST", kReceiving,
      "give flows ports from these only, such as those that a firewall lets through (default: any)",
      "Both ends are included. A flow that asks for another port is refused, and so is one for which none is "
      "free."},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.data_ports = parse_port_range(v.text); }},
    {{"--gro", kValue, "auto|on|off", kReceiving,
      "let the kernel coalesce packets of UDP (GRO), which is faster, but one time of arrival then goes for "
      "several packets: always, never, or from when a flow has fallen behind (default: auto)",
      "With auto it stays on to the end of the flow's run. The report and the log say so."},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.gro = parse_gro_mode(v.text); }},
    {{"--signal-line", kValue, "DEVICE[:rts|dtr]", kReceiving,
      "raise RTS and DTR of this serial port, or one of them, for each packet that comes",
      "The lines are raised for a moment, for an oscilloscope or a counter."},
     option_into::text<&ReceiverOptions::signal_line>},
    {{"--log-dir", kValue, "DIR", kReceiving, "the folder of the logs that senders ask for (default: the current one)",
      "Senders give names, never paths. A name that is taken is refused before anything is sent."},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.log_dir = v.text; }},
    {{"--replace-logs", kFlag, "", kReceiving,
      "let senders replace logs of earlier runs there (default: a name that is taken is refused)",
      "Logs that were left as .part are replaced as well. Any other file stays."},
     [](ReceiverOptions& o, const OptionValue& /*v*/) { o.server.replace_logs = true; }},
    {{"--log-servers", kValue, kLogServersValue, kReceiving, kLogServersHelp, kLogServersMore},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.log_servers = parse_log_servers(v.text); }},
    {{"--spool-dir", kValue, "DIR", kReceiving,
      "keep what a log server has not confirmed there (default: ~/.local/state/groma/spool)",
      "The default is groma/spool below $XDG_STATE_HOME, else below ~/.local/state, else "
      "/var/tmp/groma-spool-UID. What an earlier groma-recv left there is delivered when the program starts."},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.spool = v.text; }},
    {{"--spool-limit", kValue, "BYTES", kReceiving,
      "use no more of that disk than this, at least 64KiB (default: 4GiB)",
      "The limit is for the logs of all sessions and for spools that were left there."},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.shipping.spool_bytes = parse_spool_limit(v.text); },
     ReadTurn::first},
    {{"--max-sessions", kValue, "N", kReceiving, "serve at most N senders at once (default: 64)",
      "Others are refused."},
     [](ReceiverOptions& o, const OptionValue& v) {
         o.server.max_sessions = parse_whole_number(v.text, 1, kMostSessions);
     }},
    {{"--max-per-host", kValue, "N", kReceiving,
      "serve at most N of them for one host, so that others find room (default: three quarters)"},
     [](ReceiverOptions& o, const OptionValue& v) {
         o.server.max_per_host = parse_whole_number(v.text, 1, kMostSessions);
     }},
    {{"--reverse-runs", kValue, "N", kReceiving,
      "send for at most N senders at once that ask for flows in reverse; 0: for none (default: 4)",
      "Flows go only to the host that asks for them."},
     [](ReceiverOptions& o, const OptionValue& v) { o.reverse_runs = parse_whole_number(v.text, 0, kMostSessions); }},
    {{"--max-flows", kValue, "N", kReceiving, "accept at most N flows of one sender (default: 100000)",
      "Each flow takes a port and a file descriptor. The limit of descriptors is raised to the hard one (ulimit "
      "-Hn)."},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.max_flows = parse_whole_number(v.text, 1, kMaxFlows); }},
    {{"--threads", kValue, "N|auto", kReceiving,
      "receive with N threads, over which the flows of each sender are spread; auto: as many as there are cores "
      "but one, from 1 to 4 (default: auto)"},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.threads.count = parse_threads(v.text); },
     ReadTurn::late},
    {{"--pin", kValue, "CORES", kReceiving,
      "keep the threads that receive on these cores, by turns, and everything else of the program on the "
      "others: 1, or 0,2-3"},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.threads.pin = parse_cores(v.text); },
     ReadTurn::late},
    {{"--realtime", kValue, "auto|on|off", kReceiving,
      "receive before all that is not real time (SCHED_FIFO), with memory locked; auto: if this user may (default: "
      "off, as strangers could then take the cores)",
      "Root may, who has CAP_SYS_NICE and CAP_IPC_LOCK, or limits for it (ulimit -r, -l). With on, what cannot be had "
      "is said on standard error."},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.threads.realtime = parse_realtime(v.text); },
     ReadTurn::late},
    {{"--log-block", kValue, "N", kReceiving,
      "write and ship N records of a flow at a time, 1 to 4096 (default: 4096, at least once a second)",
      "Small blocks cost more of this host and of the network."},
     [](ReceiverOptions& o, const OptionValue& v) {
         o.server.block_records = parse_whole_number(v.text, 1, kMaxBlockRecords);
     }},
    {{"--timeout", kValue, "TIME", kReceiving, kTimeoutHelp, kTimeoutMore}, read_timeout, ReadTurn::early},
    {{"--metrics", kValue, kMetricsValue, kWatching, kMetricsHelp, kMetricsMore},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.metrics = parse_metrics_address(v.text); }},
    {{"--web-cert", kValue, "FILE", kWatching, kWebCertHelp, kWebCertMore},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.web.certificate = v.text; }},
    {{"--web-key", kValue, "FILE", kWatching, kWebKeyHelp},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.web.key = v.text; }},
    {{"--web-tokens", kValue, "DIR", kWatching, kWebTokensHelp, kWebTokensMore},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.web.tokens = v.text; }},
    {{"--web", kValue, kMetricsValue, kWatching, kWebHelp, kWebMore},
     [](ReceiverOptions& o, const OptionValue& v) { o.server.page = parse_metrics_address(v.text); }},
    {{"--live", ValueKind::optional, "TIME", kWatching,
      "print packet rate, bit rate, flows and loss every TIME (default: 1s)",
      "The first line on standard output has the sessions, the flows, the packets and bits a second, and how many "
      "packets of the running flows have not arrived so far. Of several flows up to ten have lines of their own, with "
      "the address of their sender's session and their number."}},
});

constexpr auto kRows = rows_of(kOptions);

/// Of iperf3's server.
constexpr std::array kForeign{ForeignOption{"-s", "groma-recv itself"},
                              ForeignOption{"--server", "groma-recv itself"},
                              ForeignOption{"-p", "--port PORT"},
                              ForeignOption{"-B", "--listen ADDRESS"},
                              ForeignOption{"--bind", "--listen ADDRESS"},
                              ForeignOption{"-i", "--live=1s"},
                              ForeignOption{"--interval", "--live=1s"},
                              ForeignOption{"-D", "the service groma-recv"},
                              ForeignOption{"--daemon", "the service groma-recv"}};

constexpr CommandTable kTable{
    .program = "groma-recv",
    .summary = "Receives and timestamps the flows of groma-send, for many senders at once.",
    .usage = "[OPTIONS]",
    .rows = kRows,
    .examples =
        "Examples:\n"
        "  groma-recv                                for senders on this host\n"
        "  groma-recv --open --keys keys             for senders everywhere that prove a key\n"
        "  groma-recv --open-to-anyone               for whoever reaches the port\n"
        "  groma-recv --dial 192.0.2.7 --once        behind NAT: receives one run of a groma-send --passive there\n"
        "  groma-recv --open-to-anyone --live        says once a second what comes in\n",
    .foreign = kForeign};

}  // namespace

const CommandTable& receiver_option_table() {
    return kTable;
}

void read_receiver_options(const CommandLine& line, UsageErrors& errors, ReceiverOptions& options) {
    read_options(line, errors, kOptions, options);
}

}  // namespace groma
