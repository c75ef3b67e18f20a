#include "receiver/options.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/core_list.hpp"
#include "common/cli/mistakes.hpp"
#include "common/model/flow_text.hpp"
#include "common/model/port_range.hpp"
#include "common/os/host.hpp"

namespace groma {

namespace {

constexpr std::string_view kListening = "Listening";
constexpr std::string_view kDialling = "Dialling a sender";
constexpr std::string_view kReceiving = "Receiving";
constexpr std::string_view kWatching = "Watching";

constexpr std::array kRows{
    OptionRow{"--listen", ValueKind::required, "ADDRESS", kListening,
              "the address to listen on; one that is not loopback also needs --open (default: 127.0.0.1 and ::1)"},
    OptionRow{
        "--open", ValueKind::none, "", kListening,
        "serve senders from other hosts: listens on every address, or on that of --listen. Anyone who reaches the "
        "port can have this host receive and log"},
    OptionRow{"--port", ValueKind::required, "PORT", kListening,
              "the control port, 9000 unless told otherwise; 0: the kernel chooses, the choice is printed"},
    OptionRow{"--port-file", ValueKind::required, "FILE", kListening,
              "write the control port to this file once it is open, for scripts"},
    OptionRow{"--dial", ValueKind::required, "HOST[:PORT]", kDialling,
              "call a groma-send --passive there instead of listening (port 9002 unless told otherwise): for a "
              "receiver behind NAT. Every connection and first datagram goes out from here"},
    OptionRow{"--as", ValueKind::required, "NAME", kDialling,
              "what the sender's flows call this receiver (default: this host's name)"},
    OptionRow{"--once", ValueKind::none, "", kDialling, "exit when one run has been received"},
    OptionRow{"--knock-every", ValueKind::required, "TIME", kDialling,
              "show each flow's way to the NAT so often while it runs, 100ms to 1h (default: 10s)"},
    OptionRow{"--data-ports", ValueKind::required, "FIRST-LAST", kReceiving,
              "give flows ports from these only, such as those that a firewall lets through (default: any)"},
    OptionRow{"--gro", ValueKind::required, "auto|on|off", kReceiving,
              "let the kernel coalesce packets of UDP (GRO), which is faster, but one time of arrival then goes for "
              "several packets: always, never, or from when a flow has fallen behind (default: auto)"},
    OptionRow{"--signal-line", ValueKind::required, "DEVICE[:rts|dtr]", kReceiving,
              "raise RTS and DTR of this serial port, or one of them, for each packet that comes"},
    OptionRow{"--log-dir", ValueKind::required, "DIR", kReceiving,
              "the folder of the logs that senders ask for (default: the current one)"},
    OptionRow{"--replace-logs", ValueKind::none, "", kReceiving,
              "let senders replace logs of earlier runs there (default: a name that is taken is refused)"},
    OptionRow{"--spool-dir", ValueKind::required, "DIR", kReceiving,
              "keep what a log server has not confirmed there (default: ~/.local/state/groma/spool)"},
    OptionRow{"--spool-limit", ValueKind::required, "BYTES", kReceiving,
              "use no more of that disk than this for each log server (default: 4GiB)"},
    OptionRow{"--max-sessions", ValueKind::required, "N", kReceiving, "serve at most N senders at once (default: 64)"},
    OptionRow{"--max-per-host", ValueKind::required, "N", kReceiving,
              "serve at most N of them for one host, so that others find room (default: three quarters)"},
    OptionRow{"--max-flows", ValueKind::required, "N", kReceiving,
              "accept at most N flows of one sender (default: 100000)"},
    OptionRow{
        "--threads", ValueKind::required, "N|auto", kReceiving,
        "receive with N threads, over which the flows of each sender are spread; auto: as many as there are cores "
        "but one, from 1 to 4 (default: auto)"},
    OptionRow{"--pin", ValueKind::required, "CORES", kReceiving,
              "keep the threads that receive on these cores, by turns, and everything else off them: 1, or 0,2-3"},
    OptionRow{"--realtime", ValueKind::none, "", kReceiving,
              "receive before all that is not real time (SCHED_FIFO), with memory locked; needs privileges"},
    OptionRow{"--log-block", ValueKind::required, "N", kReceiving,
              "write and ship N records of a flow at a time, 1 to 4096 (default: 4096, at least once a second)"},
    OptionRow{"--timeout", ValueKind::required, "TIME", kReceiving, kTimeoutHelp},
    OptionRow{"--live", ValueKind::optional, "TIME", kWatching,
              "print packet rate, bit rate, flows and loss every TIME (default: 1s)"},
};

constexpr std::uint64_t kSmallestSpool = 64U << 10U;

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

/// Reads the values of options one by one and keeps what is wrong with them.
class Values {
public:
    explicit Values(std::span<const std::string> arguments) : line_(kTable, arguments), mistakes_(line_) {}

    [[nodiscard]] bool has(std::string_view option) const { return line_.has(option); }
    [[nodiscard]] std::optional<std::string> text(std::string_view option) const { return line_.value(option); }

    [[nodiscard]] std::uint64_t number(std::string_view option, std::uint64_t usual, std::uint64_t lowest,
                                       std::uint64_t highest) {
        return mistakes_.number(line_, option, lowest, highest).value_or(usual);
    }

    /// Calls `parse` with the value; its UsageError becomes one of the mistakes.
    template <typename Parse>
    void with(std::string_view option, Parse parse) {
        mistakes_.parsed(line_, option, [&parse](std::string_view text) {
            parse(std::string(text));
            return true;
        });
    }

    void only_with(std::string_view needed, std::initializer_list<std::string_view> options) {
        for (const std::string_view option : options) {
            if (has(option)) {
                mistakes_.add(std::string(option) + " is of no use without " + std::string(needed));
            }
        }
    }

    void not_with(std::string_view other, std::initializer_list<std::string_view> options) {
        for (const std::string_view option : options) {
            if (has(option)) {
                mistakes_.add(std::string(option) + " cannot be given with " + std::string(other) +
                              ", which does not listen: leave one of them out");
            }
        }
    }

    void throw_mistakes() const { mistakes_.throw_if_any(); }

private:
    CommandLine line_;
    Mistakes mistakes_;
};

std::vector<SocketAddress> addresses(Values& values, bool open, std::uint16_t port) {
    std::vector<SocketAddress> listen;
    for (const char* usual : {open ? "0.0.0.0" : "127.0.0.1", open ? "::" : "::1"}) {
        listen.push_back(SocketAddress::from_literal(usual, port));
    }
    values.with("--listen", [&](const std::string& text) {
        const SocketAddress address = SocketAddress::from_literal(text, port);
        if (not open and not address.is_loopback()) {
            throw UsageError("'" + text +
                             "' can be reached from other hosts, and whoever reaches it can have this host receive and "
                             "log: add --open if that is meant");
        }
        listen = {address};
    });
    return listen;
}

std::string parse_own_name(const std::string& text) {
    constexpr std::size_t kLongestName = 100;
    if (text.empty() or text.size() > kLongestName or plain_text(text) != text) {
        throw UsageError(plain_text(text, kLongestName).append(" is no name: give 1 to 100 printable characters"));
    }
    return text;
}

void parse_dial(Values& values, ReceiverServerOptions& server) {
    constexpr Nanos kShortest = std::chrono::milliseconds(100);
    constexpr Nanos kLongest = std::chrono::hours(1);
    if (not values.has("--dial")) {
        values.only_with("--dial", {"--as", "--once", "--knock-every"});
        return;
    }
    values.not_with("--dial", {"--listen", "--open", "--port", "--port-file"});
    DialOptions& dial = server.dial.emplace();
    server.listen.clear();
    dial.name = host_name();
    dial.once = values.has("--once");
    values.with("--dial", [&](const std::string& text) {
        const Target target = parse_target(text, kDialPort);
        dial.host = target.host;
        dial.port = target.control_port;
    });
    values.with("--as", [&](const std::string& text) { dial.name = parse_own_name(text); });
    values.with("--knock-every", [&](const std::string& text) {
        dial.knock_interval = parse_duration(text);
        if (dial.knock_interval < kShortest or dial.knock_interval > kLongest) {
            throw UsageError("'" + text + "' is not between 100ms and 1h");
        }
    });
}

void parse_live(Values& values, ReceiverServerOptions& server) {
    constexpr Nanos kShortest = std::chrono::milliseconds(100);
    constexpr Nanos kLongest = std::chrono::hours(24);
    if (not values.has("--live")) {
        return;
    }
    server.live = std::chrono::seconds(1);
    values.with("--live", [&](const std::string& text) {
        server.live = parse_duration(text);
        if (*server.live < kShortest or *server.live > kLongest) {
            throw UsageError("'" + text + "' is not between 100ms and 24h");
        }
    });
}

}  // namespace

ReceiverOptions parse_receiver_options(std::span<const std::string> arguments) {
    Values values(arguments);
    ReceiverOptions options;
    options.help = values.has("--help");
    options.version = values.has("--version");
    options.open = values.has("--open");
    const auto port = static_cast<std::uint16_t>(values.number("--port", 9000, 0, 65535));
    options.server.listen = addresses(values, options.open, port);
    options.server.log_dir = values.text("--log-dir").value_or(".");
    options.server.replace_logs = values.has("--replace-logs");
    options.server.spool = values.text("--spool-dir").value_or("");
    values.with("--spool-limit", [&](const std::string& text) {
        options.server.shipping.spool_bytes = parse_bytes(text).count;
        if (options.server.shipping.spool_bytes < kSmallestSpool) {
            throw UsageError("'" + text + "' is too small for a spool: give 64KiB or more");
        }
    });
    values.with("--timeout", [&](const std::string& text) {
        const TimeLimits limits = TimeLimits::with_timeout(parse_timeout(text));
        options.server.times = limits.session;
        options.server.shipping.times = limits.receiver_shipping;
    });
    values.with("--data-ports", [&](const std::string& text) { options.server.data_ports = parse_port_range(text); });
    values.with("--gro", [&](const std::string& text) { options.server.gro = parse_gro_mode(text); });
    options.port_file = values.text("--port-file");
    options.signal_line = values.text("--signal-line");
    options.server.max_sessions = values.number("--max-sessions", options.server.max_sessions, 1, 10'000);
    if (values.has("--max-per-host")) {
        options.server.max_per_host = values.number("--max-per-host", 1, 1, 10'000);
    }
    options.server.max_flows = values.number("--max-flows", options.server.max_flows, 1, 100'000);
    options.server.block_records = values.number("--log-block", kMaxBlockRecords, 1, kMaxBlockRecords);
    options.server.threads = {.count = 0, .pin = {}, .realtime = values.has("--realtime")};
    values.with("--threads", [&](const std::string& text) { options.server.threads.count = parse_threads(text); });
    values.with("--pin", [&](const std::string& text) { options.server.threads.pin = parse_cores(text); });
    parse_dial(values, options.server);
    parse_live(values, options.server);
    values.throw_mistakes();
    return options;
}

std::string receiver_help() {
    return help_text(kTable);
}

std::string dialling_line(const DialOptions& dial) {
    std::string text = "groma-recv " GROMA_VERSION ": dialling ";
    return text.append(to_string(Target{dial.host, dial.port, {}})).append(" as ").append(dial.name);
}

std::string listening_line(std::span<const SocketAddress> addresses) {
    std::string text = "groma-recv " GROMA_VERSION ": listening on ";
    for (const SocketAddress& address : addresses) {
        text += (&address == addresses.data() ? "" : ", ") + address.to_string();
    }
    const bool loopback = std::ranges::all_of(addresses, [](const auto& address) { return address.is_loopback(); });
    return text + (loopback ? " (loopback only; --open for every address)" : "");
}

}  // namespace groma
