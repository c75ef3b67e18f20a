#include "sender/commands/sender_commands.hpp"

#include <linux/capability.h>
#include <unistd.h>

#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "common/access/drawn_key.hpp"
#include "common/base/errors.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/hardening.hpp"
#include "sender/commands/console.hpp"
#include "sender/daemon/sender_daemon.hpp"

namespace groma {

namespace {

constexpr std::size_t kLongestKeyLine = 200;

/// The key of who has started this agent: the first line of standard input. Throws: UsageError.
KeySource key_of_leader() {
    std::string line;
    char next = 0;
    while (line.size() < kLongestKeyLine and ::read(STDIN_FILENO, &next, 1) == 1 and next != '\n') {
        line.push_back(next);
    }
    try {
        return asked_of_holders(parse_shared_key(line), {.name = "run", .roles = {Role::send}});
    } catch (const UsageError&) {
        throw UsageError(
            "--keys -: standard input does not begin with a line with a key, as groma-send --agents ssh:NAME gives it: "
            "give --keys DIR, a folder of keys");
    }
}

}  // namespace

int daemon_command(const SenderOptions& options, Clock& clock) {
    Console console(options.quiet);
    if (const std::string warning = reach_warning(options.daemon.reach, kDaemonCould); not warning.empty()) {
        console.say(warning);
    }
    const auto say = [&console](const std::string& line) { console.say(line); };
    std::optional<AuditFile> audit;
    if (not options.daemon.audit.empty()) {
        audit.emplace(options.daemon.audit, "groma-send", clock, say);
    }
    const bool on_leash = options.keys == kKeysOnInput;
    KeySource keys = on_leash ? key_of_leader() : KeySource{.folder = options.keys, .given = {}};
    keys.ends_sessions = options.daemon.reach.end_with_key;
    harden_daemon({CAP_NET_RAW, CAP_NET_ADMIN, CAP_NET_BIND_SERVICE},
                  {options.daemon.log_dir, options.spool_dir, keys.folder, options.web.certificate, options.web.key,
                   options.web.tokens});
    SenderDaemon daemon({.listen = options.daemon.listen,
                         .keys = std::move(keys),
                         .serves = options.daemon.reach.in_words(),
                         .leash = on_leash ? STDIN_FILENO : -1,
                         .max_runs = options.daemon.max_runs,
                         .limits = {.log_dir = options.daemon.log_dir,
                                    .spool = options.spool_dir,
                                    .max_flows = options.daemon.max_flows,
                                    .log_servers = options.daemon.log_servers,
                                    .allow = options.daemon.allow},
                         .times = options.times,
                         .shipping = options.shipping.times,
                         .spool_bytes = options.shipping.spool_bytes,
                         .say = say,
                         .audit = audit_to(audit),
                         .metrics = options.metrics,
                         .web = options.web,
                         .page = options.page},
                        clock);
    daemon.stop_on_signals();
    std::cout << daemon_line(daemon.addresses()) << std::endl;
    daemon.run();
    return kExitOk;
}

}  // namespace groma
