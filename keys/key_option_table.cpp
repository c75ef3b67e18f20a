#include "keys/key_option_table.hpp"

#include <array>

#include "common/access/access_key.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostShown = 100'000;
constexpr std::string_view kGrant = "What a key is good for";
constexpr std::string_view kToken = "Tokens";

constexpr std::array kKeyRows = {
    OptionRow{
        "--role", ValueKind::required, "ROLES", kGrant,
        "one or several of receive, send, ship, view and admin, with ',' between them (default: of a new key all "
        "but admin, of a host's part those of the user's key)",
        "With receive the user can have a host receive and log, with send have it send, with ship write logs to a log "
        "server, with admin go on with those of others there, and with receive fetch those of others that wait at a "
        "receiver. What view (look on) allows is not asked for yet. A host goes by the roles in its own part: they can "
        "be more or fewer than those in the user's key."},
    OptionRow{"--expires", ValueKind::required, "DAY|TIME", kGrant,
              "the last day in UTC, such as 2027-11-25, or days from now, such as 90d; at most 10 years from now "
              "(default: of a new key never, of a host's part that of the user's key)",
              "A host goes by the day in its own part."},
    OptionRow{"--experiments", ValueKind::required, "PREFIX,...", kGrant,
              "with the role ship: only logs of experiments whose names begin like one of these (default: of a new key "
              "all, of a host's part those of the user's key)"},
    OptionRow{
        "--limits", ValueKind::required, "NAME=VALUE,...", kGrant,
        "what may be asked for at most (default: of a new key no limits, of a host's part those of the user's key)",
        "sessions=N at once; flows=N, rate=10kpps and rate=1Gbps (of all flows together; means, while they send) and "
        "duration=1h of a run; to=NETWORK+... that the host sends to, multicast groups among them (default: any "
        "host, no group); ports=FIRST-LAST that it sends to (default: 1024-65535); log-bytes=10GiB of the log of a "
        "run there, or of all logs of the key at a log server; spool-bytes=1GiB of the log of a run in the spool "
        "there. A host goes by its own part."},
    OptionRow{"--keys", ValueKind::required, "DIR", kToken,
              "with token: the folder on this host that programs have as --keys or --web-tokens"},
    OptionRow{"--for", ValueKind::required, "SCOPES", kToken,
              "with token: metrics, page, or both with ',' between them (default: both)"},
};

constexpr std::array kGrantOptions = {std::string_view("--role"), std::string_view("--expires"),
                                      std::string_view("--experiments"), std::string_view("--limits")};
constexpr std::array kTokenOptions = {std::string_view("--keys"), std::string_view("--for"),
                                      std::string_view("--expires")};
constexpr std::array kOfCommands = {std::string_view("--role"),        std::string_view("--expires"),
                                    std::string_view("--experiments"), std::string_view("--limits"),
                                    std::string_view("--keys"),        std::string_view("--for")};

constexpr std::array kKeyCommands = {
    CommandRow{"new", "NAME [--role ROLES] [--expires DAY|TIME] [--experiments PREFIX,...] [--limits NAME=VALUE,...]",
               "write a new user's key to standard output", 1, 1, kGrantOptions,
               "The key stays with its user, who gives it to programs with --key. NAME is what hosts call it in their "
               "messages: letters, digits, '.', '_' and '-'."},
    CommandRow{"host",
               "FILE HOST... [--role ROLES] [--expires DAY|TIME] [--experiments PREFIX,...] [--limits NAME=VALUE,...]",
               "write a host's part of the user's key FILE to standard output: for the folder of --keys there", 2,
               1 + kMostNamesOfHost, kGrantOptions,
               "HOST is what users write after --to, --via, --dial or --log-server, without a port: a name or an "
               "address. A host "
               "that users call by several names needs all of them in one part. The part opens this host and no "
               "other, so a host that is taken over gives away no other."},
    CommandRow{
        "token", "NAME --keys DIR [--for SCOPES] [--expires DAY|TIME]",
        "write a token for a browser or a scraper to standard output, once, and its hash to DIR/NAME.token", 1, 1,
        kTokenOptions,
        "Run it on the host that answers. The token is for --metrics and pages beyond loopback: it stands in the "
        "field Authorization of a scraper, or in the form of a page. To take it back, remove DIR/NAME.token and "
        "send SIGHUP to the programs."},
    CommandRow{"show",
               "FILE...",
               "print what the files are, without their secrets",
               1,
               kMostShown,
               {},
               "For each key: whether it is a user's, a host's part or a token, its name, its roles, its last day, the "
               "hosts."},
};

constexpr CommandTable kKeyTable{
    .program = "groma-key",
    .summary = "Makes the keys and tokens with which daemons know their users.",
    .usage = "COMMAND ...",
    .rows = kKeyRows,
    .examples =
        "The user's key stays with the user. Each host gets a part of it, for its own names only.\n\n"
        "  groma-key new lab --expires 90d > lab.key             a key of a user, for 90 days\n"
        "  groma-key host lab.key beta 10.0.0.2 > beta-lab.key   the part of the host that users call so\n"
        "  groma-key host lab.key beta | ssh beta 'umask 077; cat > /etc/groma/keys/lab.key'\n"
        "  groma-key show lab.key beta-lab.key                   what the files are\n"
        "  ssh beta groma-key token prometheus --keys keys --for metrics > beta.token\n"
        "                                                        a token for beta's metrics\n",
    .commands = kKeyCommands,
    .command_options = kOfCommands,
};

}  // namespace

const CommandTable& key_option_table() {
    return kKeyTable;
}

}  // namespace groma
