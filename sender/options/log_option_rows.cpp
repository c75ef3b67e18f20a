// The options of the group "Logs" (sender/options/option_rows.hpp).
#include <array>

#include "common/model/text/quantity_text.hpp"
#include "sender/options/option_rows.hpp"
#include "sender/options/run_options.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

namespace {

using namespace option_use;
using option_group::kLogs;

constexpr double kLowestLogRate = 64'000;
constexpr std::uint64_t kSmallestSpool = 64U << 10U;

LogTransport parse_shipping(std::string_view text) {
    const auto transport = parse_log_transport(text);
    if (not transport or *transport == LogTransport::mpi) {
        throw UsageError("unknown log transport '" + std::string(text) + "' (use tcp or udp" +
                         (transport ? "; mpi works in groma-mpi only)" : ")"));
    }
    return *transport;
}

std::uint64_t parse_log_rate(std::string_view text) {
    const Rate rate = parse_rate(text);
    const auto* bits = std::get_if<BitRate>(&rate);
    if (bits == nullptr or bits->bps < kLowestLogRate) {
        throw UsageError("'" + std::string(text) + "' is not a rate for a log: use bits per second, such as 10Mbps");
    }
    return static_cast<std::uint64_t>(bits->bps / 8);
}

std::uint64_t parse_spool_limit(std::string_view text) {
    const Bytes limit = parse_bytes(text);
    if (limit.count < kSmallestSpool) {
        throw UsageError("'" + std::string(text) + "' is too small for a spool: use 64KiB or more");
    }
    return limit.count;
}

void read_logs(SenderOptions& options, const OptionValue& value) {
    if (not options.log.empty()) {
        value.errors.add("--log and --logs exclude each other: --logs keeps the sender's log in its folder as well");
        return;
    }
    options.logs = value.text;
    options.log = (std::filesystem::path(options.logs) / kSenderLogOfFolder).string();
}

void read_force(SenderOptions& options, const OptionValue& value) {
    options.replace_log = true;
    if (options.log.empty()) {
        value.errors.add("--force requires --log FILE or --logs DIR");
    }
}

// Options for both sides come first in the table.
void read_log_server(SenderOptions& options, const OptionValue& value) {
    options.log_server = parse_log_server(value.text);
    options.receiver_log_server = options.log_server;
}

void read_receiver_log_server(SenderOptions& options, const OptionValue& value) {
    options.receiver_log_server = value.text == "none" ? std::nullopt : std::optional(parse_log_server(value.text));
}

void read_log_transport(SenderOptions& options, const OptionValue& value) {
    options.log_transport = parse_shipping(value.text);
    options.receiver_log_transport = options.log_transport;
}

void read_spool_limit(SenderOptions& options, const OptionValue& value) {
    options.shipping.spool_bytes = parse_spool_limit(value.text);
}

constexpr auto kLogRows = std::to_array<SenderOption>({
    {{"--log", ValueKind::required, "FILE", kLogs,
      "keep the sender's log in FILE; refused when a log of this name is there already",
      "It is written as FILE.part and named FILE when it is complete. When one of them is there already, the run is "
      "refused before anything is sent, unless it is an empty file. FILE can also be a device, a FIFO, or - for "
      "standard output."},
     0,
     option_into::text<&SenderOptions::log>},
    {{"--logs", ValueKind::required, "DIR", kLogs,
      "bring the logs of all hosts of the run together in this folder, which is made: send.glog and recv.glog, those "
      "of agents with their names; groma-dec DIR decodes them",
      "The receiver's log is fetched over the control session after the run, and checked by its hash. The receiver "
      "then "
      "removes its own copy, but not if --receiver-log names it. With several receivers each log has its receiver's "
      "address in its name: recv-10.0.0.2.glog. Agents hand on their logs and those of their receivers: "
      "send-alpha.glog, recv-from-alpha.glog. The folder holds the logs of one run.",
      "--fetch-logs"},
     not_via,
     read_logs},
    {{"--force", ValueKind::none, "", kLogs, "replace the logs of an earlier run that --log or --logs names",
      "A file that is not a log is never replaced."},
     0,
     read_force},
    {{"--receiver-log", ValueKind::required, "NAME", kLogs,
      "have the receiver keep its log under this name in its own folder of logs; refused when one is there already, "
      "but for groma-recv --replace-logs",
      "The run is then refused before anything is sent. With several receivers each log has its receiver's address "
      "in "
      "its name: recv.glog becomes recv-10.0.0.2.glog."},
     0,
     option_into::text<&SenderOptions::receiver_log>},
    {{"--log-server", ValueKind::required, "HOST[:PORT]", kLogs,
      "ship the logs of both sides to groma-log there (default port: 9001)",
      "The receiver must have been told of it (groma-recv --log-servers), and looks the name up on its own host."},
     with_calibration,
     read_log_server},
    {{"--receiver-log-server", ValueKind::required, "HOST[:PORT]|none", kLogs,
      "where the receiver ships its log to, if not to --log-server"},
     0,
     read_receiver_log_server},
    {{"--log-transport", ValueKind::required, "tcp|udp", kLogs,
      "what carries the logs of both sides to the log server (default: tcp)"},
     0,
     read_log_transport},
    {{"--receiver-log-transport", ValueKind::required, "tcp|udp", kLogs,
      "what carries the receiver's log, if not the same"},
     0,
     option_into::parsed<&SenderOptions::receiver_log_transport, parse_shipping>},
    {{"--log-rate", ValueKind::required, "RATE", kLogs,
      "the most that the sender's log may use over udp, such as 10Mbps (default: what the path carries)",
      "RATE is at least 64kbps."},
     with_calibration,
     option_into::parsed<&SenderOptions::log_rate, parse_log_rate>},
    {{"--spool-dir", ValueKind::required, "DIR", kLogs,
      "keep what the log server has not confirmed there (default: ~/.local/state/groma/spool)",
      "Every piece of a log that is shipped is kept there until it is confirmed. The default is groma/spool "
      "below $XDG_STATE_HOME, else below ~/.local/state, else /var/tmp/groma-spool-UID."},
     with_calibration | with_daemon | not_via,
     option_into::text<&SenderOptions::spool_dir>},
    {{"--spool-limit", ValueKind::required, "BYTES", kLogs,
      "use no more of that disk than this, at least 64KiB (default: 4GiB)",
      "When it is full, memory has to do (16 MiB a log), and the report says so."},
     with_calibration | not_via,
     read_spool_limit},
    {{"--resume-spool", ValueKind::none, "", kLogs,
      "send nothing: deliver the logs that earlier runs left in the spool, and exit",
      "It prints one line for each log. --log-server and --log-transport say another way than the one that "
      "was meant. The exit status is 0 only if everything was delivered."},
     not_via},
    {{"--log-block", ValueKind::required, "N", kLogs, kLogBlockHelp,
      "This is for the sender's log; groma-recv(1) has the same option for the receiver's. Small blocks cost "
      "more of this host and of the network."},
     with_calibration,
     option_into::number<&SenderOptions::block_records, 1, kMaxBlockRecords>,
     ReadTurn::early},
});

}  // namespace

std::span<const SenderOption> log_option_rows() {
    return kLogRows;
}

}  // namespace groma
