#include "logserver/log_option_table.hpp"

#include <array>

#include "common/access/key_source.hpp"
#include "common/control/audit.hpp"
#include "common/http/metrics_server.hpp"
#include "common/http/web_options.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/page/page_thread.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostExperiments = 100'000;
constexpr std::string_view kWhere = "Where";
constexpr std::string_view kLogs = "Logs";
constexpr std::string_view kLimits = "Limits";
constexpr std::string_view kLooking = "Looking at logs";
constexpr auto kFlag = ValueKind::none;
constexpr auto kValue = ValueKind::required;

constexpr std::array kRows = {
    OptionRow{"--listen", kValue, "ADDR", kWhere,
              "listen on this address; one that is not loopback also needs --open or --open-to-anyone (default: "
              "127.0.0.1 and "
              "::1)"},
    OptionRow{"--open", kFlag, "", kWhere,
              "with --keys: let other hosts write logs here; listens on every address, or on that of --listen"},
    OptionRow{"--open-to-anyone", kFlag, "", kWhere,
              "the same without keys: anyone who reaches the port can write logs to this disk, in clear",
              "For networks that nobody else can reach."},
    OptionRow{
        "--keys", kValue, "DIR", kWhere,
        "take logs only from peers that prove one of the keys in DIR (its files *.key), and from programs of this user "
        "over loopback. SIGHUP has DIR read again; a service is restarted",
        "groma-key host makes these files; the key needs the role ship. What is shipped is then under TLS 1.3."},
    OptionRow{"--end-with-key", kFlag, "", kWhere, kEndWithKeyHelp, kEndWithKeyMore},
    OptionRow{"--audit", kValue, "FILE", kWhere, kAuditHelp, kAuditMore},
    OptionRow{"--port", kValue, "N", kWhere, "port, TCP and UDP; 0: the kernel chooses one (default: 9001)"},
    OptionRow{"--no-udp", kFlag, "", kWhere, "take logs over TCP only"},
    OptionRow{"--metrics", kValue, kMetricsValue, kWhere, kMetricsHelp, kMetricsMore},
    OptionRow{"--web", kValue, kMetricsValue, kWhere, kWebHelp, kWebMore},
    OptionRow{"--web-cert", kValue, "FILE", kWhere, kWebCertHelp, kWebCertMore},
    OptionRow{"--web-key", kValue, "FILE", kWhere, kWebKeyHelp},
    OptionRow{"--web-tokens", kValue, "DIR", kWhere, kWebTokensHelp, kWebTokensMore},
    OptionRow{"--port-file", kValue, "FILE", kWhere, "write the port to FILE once the server listens"},
    OptionRow{"--dir", kValue, "DIR", kLogs, "keep logs and their catalogue here (default: ./groma-logs)"},
    OptionRow{"--sync", kValue, "WHEN", kLogs,
              "acknowledge logs after an fsync of every 'block' or every 'interval' (the default), or once they are "
              "written, with an fsync at 'close'",
              "With 'block' the fsync comes as soon as one is possible. With 'close' a log survives the death of "
              "groma-log, not the loss of power."},
    OptionRow{"--sync-interval", kValue, "TIME", kLogs, "how often to fsync (default: 1s)"},
    OptionRow{"--max-bytes", kValue, "N", kLimits,
              "longest log that is taken, such as 500M or 16G; K, M, G and T are powers of 1024 (default: 16G)"},
    OptionRow{"--max-disk", kValue, "N", kLimits, "most bytes of all logs together (default: no limit)",
              "Beyond it the server takes nothing until logs are pruned. Shippers are told, and keep what they have."},
    OptionRow{"--reserve", kValue, "N", kLimits,
              "leave so many bytes of the file system free (default: 1 % of it, at most 1G)",
              "When they are all that is left, the server takes nothing either. Another 1M is kept for the catalogue."},
    OptionRow{"--max-sessions", kValue, "N", kLimits, "most connections at a time (default: 256)"},
    OptionRow{"--max-per-host", kValue, "N", kLimits,
              "most of these connections for one host, so that others find room (default: three quarters)"},
    OptionRow{"--max-logs", kValue, "N", kLimits, "most logs being written at a time (default: 4096)"},
    OptionRow{"--max-logs-per-host", kValue, "N", kLimits,
              "most of these logs for one host, so that others find room (default: three quarters)"},
    OptionRow{"--max-rate", kValue, "N", kLimits,
              "take so many bytes a second, from all connections together (default: no limit)",
              "The server reads more slowly then, and loses nothing."},
    OptionRow{"--timeout", kValue, "TIME", kLimits, kTimeoutHelp, kTimeoutMore},
    OptionRow{"--json", kFlag, "", kLooking, "list and show: print JSON"},
    OptionRow{"--output", kValue, "FILE.tar|DIR", kLooking,
              "export: to a tar file, or into a folder that is not there yet"},
    OptionRow{"--older-than", kValue, "TIME", kLooking,
              "prune: experiments that have not changed for so long, such as 12h or 30d"},
    OptionRow{"--dry-run", kFlag, "", kLooking, "prune: say what would go, and keep it"},
};

using Names = std::string_view;
constexpr std::array kListOptions = {Names("--dir"), Names("--json")};
constexpr std::array kExportOptions = {Names("--dir"), Names("--output")};
constexpr std::array kVerifyOptions = {Names("--dir")};
constexpr std::array kPruneOptions = {Names("--dir"), Names("--older-than"), Names("--dry-run")};
constexpr std::array kCommandOptions = {Names("--json"), Names("--output"), Names("--older-than"), Names("--dry-run")};

constexpr std::array kCommands = {
    CommandRow{"list", "[DIR]", "print all logs, with their states", 0, 1, kListOptions,
               "The catalogue has for each log: experiment, name, state with the reason if it is incomplete, bytes, "
               "times. Then comes what the server has counted: connections refused, pieces dropped."},
    CommandRow{"show", "[DIR] EXPERIMENT", "print all there is to know about an experiment's logs", 1, 2, kListOptions},
    CommandRow{"export", "[DIR] EXPERIMENT --output FILE.tar|DIR", "copy an experiment's logs, with a manifest", 1, 2,
               kExportOptions,
               "The manifest has names, states, bytes, hashes. Of a log that is being written, what has been "
               "acknowledged is copied."},
    CommandRow{
        "verify", "[DIR] [EXPERIMENT...]", "read all logs, and say where they are not what the catalogue says", 0,
        kMostExperiments, kVerifyOptions,
        "Compared are length and hash of each log, and the checksum of every block. Files that the catalogue does "
        "not know are named. Incomplete logs are named, and not wrong."},
    CommandRow{"prune", "[DIR] [EXPERIMENT...] [--older-than TIME]", "delete experiments; what is being written stays",
               0, kMostExperiments, kPruneOptions, "Experiments are chosen by name or by age. Nothing is asked."},
};

constexpr CommandTable kTable = {
    .program = "groma-log",
    .summary = "collects the logs of experiments from senders and receivers",
    .usage = "[OPTIONS]\nCOMMAND [DIR] ...",
    .rows = kRows,
    .examples =
        "A command's DIR is what the server was given as --dir. A first word with a '/' in it, or one that is the name "
        "of\n"
        "a server's directory, is DIR; without it --dir counts, or ./groma-logs. A server may be running.\n"
        "An EXPERIMENT's name may be cut short where no other begins like it, but not for prune.\n\n"
        "  groma-log                          serve this host only\n"
        "  groma-log --open --keys keys       serve the hosts that prove a key of this folder\n"
        "  groma-log list /srv/logs           show what has been collected\n"
        "  groma-log prune /srv/logs --older-than 30d --dry-run\n",
    .commands = kCommands,
    .command_options = kCommandOptions,
};

}  // namespace

const CommandTable& log_option_table() {
    return kTable;
}

}  // namespace groma
