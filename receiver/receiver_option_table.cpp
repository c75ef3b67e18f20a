#include "receiver/receiver_option_table.hpp"

#include <array>

#include "common/net/socket/time_limits.hpp"

namespace groma {

namespace {

constexpr std::string_view kListening = "Listening";
constexpr std::string_view kDialling = "Dialling a sender";
constexpr std::string_view kReceiving = "Receiving";
constexpr std::string_view kWatching = "Watching";

constexpr auto kFlag = ValueKind::none;
constexpr auto kValue = ValueKind::required;

constexpr std::array kRows{
    OptionRow{"--listen", kValue, "ADDRESS", kListening,
              "the address to listen on; one that is not loopback also needs --open (default: 127.0.0.1 and ::1)"},
    OptionRow{
        "--open", kFlag, "", kListening,
        "serve senders from other hosts: listens on every address, or on that of --listen. Anyone who reaches the "
        "port can have this host receive and log"},
    OptionRow{"--port", kValue, "PORT", kListening,
              "the control port; 0: the kernel chooses, the choice is printed (default: 9000)"},
    OptionRow{"--port-file", kValue, "FILE", kListening, "write the control port to FILE once it is open, for scripts",
              "The file is complete when it appears."},
    OptionRow{"--dial", kValue, "HOST[:PORT]", kDialling,
              "call a groma-send --passive there instead of listening (default port: 9002): for a receiver behind NAT. "
              "Every connection and every flow's first datagram goes out from here",
              "One session is served at a time. When it is over, or nobody listens, the sender is called again."},
    OptionRow{"--as", kValue, "NAME", kDialling,
              "what the sender's flows call this receiver (default: this host's name)"},
    OptionRow{"--once", kFlag, "", kDialling, "exit when one run has been received"},
    OptionRow{"--knock-every", kValue, "TIME", kDialling,
              "keep each flow's way through the NAT open with a datagram this often, 100ms to 1h (default: 10s)",
              "This is done while flows of datagrams run. It must be less than the time after which the NAT forgets a "
              "silent flow, which is 30 s or more with most."},
    OptionRow{"--data-ports", kValue, "FIRST-LAST", kReceiving,
              "give flows ports from these only, such as those that a firewall lets through (default: any)",
              "Both ends are included. A flow that asks for another port is refused, and so is one for which none is "
              "free."},
    OptionRow{"--gro", kValue, "auto|on|off", kReceiving,
              "let the kernel coalesce packets of UDP (GRO), which is faster, but one time of arrival then goes for "
              "several packets: always, never, or from when a flow has fallen behind (default: auto)",
              "With auto it stays on to the end of the flow's run. The report and the log say so."},
    OptionRow{"--signal-line", kValue, "DEVICE[:rts|dtr]", kReceiving,
              "raise RTS and DTR of this serial port, or one of them, for each packet that comes",
              "The lines are raised for a moment, for an oscilloscope or a counter."},
    OptionRow{"--log-dir", kValue, "DIR", kReceiving,
              "the folder of the logs that senders ask for (default: the current one)",
              "Senders give names, never paths. A name that is taken is refused before anything is sent."},
    OptionRow{"--replace-logs", kFlag, "", kReceiving,
              "let senders replace logs of earlier runs there (default: a name that is taken is refused)",
              "Logs that were left as .part are replaced as well. Any other file stays."},
    OptionRow{"--spool-dir", kValue, "DIR", kReceiving,
              "keep what a log server has not confirmed there (default: ~/.local/state/groma/spool)",
              "The default is groma/spool below $XDG_STATE_HOME, else below ~/.local/state, else "
              "/var/tmp/groma-spool-UID. What an earlier groma-recv left there is delivered when the program starts."},
    OptionRow{"--spool-limit", kValue, "BYTES", kReceiving,
              "use no more of that disk than this, at least 64KiB (default: 4GiB)",
              "The limit is for the logs of all sessions and for spools that were left there."},
    OptionRow{"--max-sessions", kValue, "N", kReceiving, "serve at most N senders at once (default: 64)",
              "Others are refused."},
    OptionRow{"--max-per-host", kValue, "N", kReceiving,
              "serve at most N of them for one host, so that others find room (default: three quarters)"},
    OptionRow{
        "--max-flows", kValue, "N", kReceiving, "accept at most N flows of one sender (default: 100000)",
        "Each flow takes a port and a file descriptor. The limit of descriptors is raised to the hard one (ulimit "
        "-Hn)."},
    OptionRow{
        "--threads", kValue, "N|auto", kReceiving,
        "receive with N threads, over which the flows of each sender are spread; auto: as many as there are cores "
        "but one, from 1 to 4 (default: auto)"},
    OptionRow{"--pin", kValue, "CORES", kReceiving,
              "keep the threads that receive on these cores, by turns, and everything else of the program on the "
              "others: 1, or 0,2-3"},
    OptionRow{"--realtime", kFlag, "", kReceiving,
              "receive before all that is not real time (SCHED_FIFO), with memory locked; needs privileges",
              "These are root, CAP_SYS_NICE and CAP_IPC_LOCK, or limits (ulimit -r, -l). What cannot be had is said on "
              "standard error."},
    OptionRow{"--log-block", kValue, "N", kReceiving,
              "write and ship N records of a flow at a time, 1 to 4096 (default: 4096, at least once a second)",
              "Small blocks cost more of this host and of the network."},
    OptionRow{"--timeout", kValue, "TIME", kReceiving, kTimeoutHelp, kTimeoutMore},
    OptionRow{"--live", ValueKind::optional, "TIME", kWatching,
              "print packet rate, bit rate, flows and loss every TIME (default: 1s)",
              "Each line on standard output has the sessions, the flows, the packets and bits a second, and how many "
              "packets of the running flows have not arrived so far."},
};

constexpr CommandTable kTable{
    .program = "groma-recv",
    .summary = "Receives and timestamps the flows of groma-send, for many senders at once.",
    .usage = "[OPTIONS]",
    .rows = kRows,
    .examples =
        "Examples:\n"
        "  groma-recv                                for senders on this host\n"
        "  groma-recv --open --log-dir /var/tmp/logs for senders everywhere; logs go to that folder\n"
        "  groma-recv --open --replace-logs          for runs that are repeated under the same names of logs\n"
        "  groma-recv --dial 192.0.2.7 --once        behind NAT: receives one run of a groma-send --passive there\n"
        "  groma-recv --open --live                  says once a second what comes in\n"};

}  // namespace

const CommandTable& receiver_option_table() {
    return kTable;
}

}  // namespace groma
