#include "sender/commands/sender_commands.hpp"

#include <linux/capability.h>

#include <iostream>
#include <optional>
#include <string>

#include "common/cli/run_main.hpp"
#include "common/os/hardening.hpp"
#include "sender/commands/console.hpp"
#include "sender/daemon/sender_daemon.hpp"

namespace groma {

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
    harden_daemon({CAP_NET_RAW, CAP_NET_ADMIN, CAP_NET_BIND_SERVICE},
                  {options.daemon.log_dir, options.spool_dir, options.keys});
    SenderDaemon daemon(
        {.listen = options.daemon.listen,
         .keys = {.folder = options.keys, .given = {}, .ends_sessions = options.daemon.reach.end_with_key},
         .serves = options.daemon.reach.in_words(),
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
         .audit = audit_to(audit)},
        clock);
    daemon.stop_on_signals();
    std::cout << daemon_line(daemon.addresses()) << std::endl;
    daemon.run();
    return kExitOk;
}

}  // namespace groma
