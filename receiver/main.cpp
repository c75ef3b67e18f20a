// groma-recv: receives and timestamps the flows of senders (man groma-recv).
#include <linux/capability.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/access/key_files.hpp"
#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/hardening.hpp"
#include "common/os/output.hpp"
#include "common/os/reserved_cores.hpp"
#include "common/os/system_clock.hpp"
#include "common/shipping/shipper/spool_delivery.hpp"
#include "joint/reverse_runs.hpp"
#include "receiver/receiver_option_table.hpp"
#include "receiver/receiver_options.hpp"

namespace {

void require_folder(const std::filesystem::path& folder) {
    if (not std::filesystem::is_directory(folder)) {
        throw groma::UsageError("--log-dir: there is no folder " + folder.string() + " (make it, or name another)");
    }
}

constexpr groma::Nanos kBetweenDeliveries = std::chrono::seconds(60);

/// Sets the options that depend on the process.
void complete(groma::ReceiverServerOptions& server) {
    spdlog::set_default_logger(spdlog::stderr_logger_mt("groma-recv"));
    server.say = [](const std::string& line) { spdlog::info("{}", line); };
    server.live_line = [](const std::string& line) { std::cout << line << std::endl; };
    if (server.spool.empty()) {
        server.spool = groma::user_spool_folder(std::getenv("XDG_STATE_HOME"), std::getenv("HOME"), ::getuid());
    }
    server.spool_budget = std::make_shared<groma::SpoolBudget>(server.shipping.spool_bytes);
}

void add_key(groma::ReceiverServerOptions& server, const std::string& key_file) {
    const std::optional<groma::UserKey> key =
        groma::find_user_key(key_file, std::getenv("GROMA_KEY"), std::getenv("XDG_CONFIG_HOME"), std::getenv("HOME"));
    server.offer = groma::offers_of(key);
    if (key and server.dial) {
        server.dial->key = key->offered_to(server.dial->host);
    }
}

void harden(const groma::ReceiverOptions& options) {
    std::vector<unsigned> kept{CAP_NET_RAW, CAP_NET_ADMIN, CAP_NET_BIND_SERVICE};
    if (options.server.threads.realtime != groma::Realtime::off) {
        kept.insert(kept.end(), {CAP_SYS_NICE, CAP_IPC_LOCK});
    }
    groma::harden_daemon(
        kept, {options.server.log_dir, options.server.spool, options.server.keys.folder, options.server.web.certificate,
               options.server.web.key, options.server.web.tokens, options.port_file.value_or("")});
}

int receive(groma::ReceiverOptions options) {
    require_folder(options.server.log_dir);
    const groma::ReservedCores reserved(options.server.threads.pin);
    complete(options.server);
    add_key(options.server, options.key_file);
    groma::SystemClock clock;
    groma::SpoolDelivery delivery({.folder = options.server.spool,
                                   .program = "groma-recv " GROMA_VERSION,
                                   .of_program = "groma-recv",
                                   .limits = options.server.shipping,
                                   .budget = options.server.spool_budget,
                                   .lookup = options.server.times.lookup,
                                   .offer = options.server.offer,
                                   .say = [](const std::string& line) { spdlog::info("spool: {}", line); }},
                                  clock);
    std::optional<groma::SignalLine> signal_line;
    if (options.signal_line) {
        options.server.signal_line = &signal_line.emplace(*options.signal_line);
    }
    if (const std::string warning = reach_warning(options.server.reach, groma::kReceiverCould); not warning.empty()) {
        options.server.say(warning);
    }
    const std::optional<groma::DialOptions> dial = options.server.dial;
    std::optional<groma::AuditFile> audit;
    if (not options.audit.empty()) {
        audit.emplace(options.audit, "groma-recv", clock, options.server.say);
    }
    options.server.audit = audit_to(audit);
    options.server.reverse = groma::reverse_desk(options, clock);
    harden(options);
    groma::ReceiverServer server(std::move(options.server), clock);
    server.stop_on_signals();
    std::cout << (dial ? groma::dialling_line(*dial) : groma::listening_line(server.addresses())) << std::endl;
    if (options.port_file) {
        static_cast<void>(groma::write_output(*options.port_file, std::to_string(server.port()) + '\n'));
    }
    // Delivers logs that sessions left in the spool, once the log server is back.
    std::thread delivering([&delivery] { delivery.run_until_stopped(kBetweenDeliveries); });
    server.run();
    delivery.stop();
    delivering.join();
    if (signal_line and signal_line->failures() > 0) {
        spdlog::warn("the lines of {} could not be raised {}", signal_line->device(),
                     groma::counted(signal_line->failures(), "time"));
    }
    return groma::kExitOk;
}

}  // namespace

int main(int argc, char** argv) {
    return groma::run_main("groma-recv", argc, argv, [](const groma::Arguments& arguments) {
        groma::ReceiverOptions options = groma::parse_receiver_options(arguments);
        if (options.help or options.version) {
            std::cout << (options.help ? groma::help_text(groma::receiver_option_table())
                                       : "groma-recv " GROMA_VERSION "\n");
            return groma::kExitOk;
        }
        return receive(std::move(options));
    });
}
