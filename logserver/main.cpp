// groma-log: collects the logs of experiments.
#include <linux/capability.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/model/text/human.hpp"
#include "common/os/hardening.hpp"
#include "common/os/output.hpp"
#include "common/os/system_clock.hpp"
#include "logserver/commands/export.hpp"
#include "logserver/commands/list.hpp"
#include "logserver/commands/prune.hpp"
#include "logserver/commands/verify.hpp"
#include "logserver/log_option_table.hpp"
#include "logserver/log_options.hpp"
#include "logserver/log_server.hpp"
#include "logserver/page/log_page.hpp"

namespace {

std::string greeting(const groma::LogServer& server, const groma::LogServerSettings& settings) {
    std::string addresses;
    for (const groma::SocketAddress& address : server.addresses()) {
        addresses += (addresses.empty() ? "" : ", ") + address.to_string();
    }
    return "listening on " + addresses +
           (settings.listen.reach.beyond_this_host() ? "" : " (loopback only; --open with --keys for every address)") +
           ", logs go to " + settings.directory.string();
}

int serve(groma::LogOptions options, groma::Clock& clock) {
    const auto logger = spdlog::stderr_color_mt("groma-log");
    logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %n: %v");
    options.server.report = [logger](const std::string& line) { logger->info("{}", groma::plain_text(line)); };
    if (const std::string warning = reach_warning(options.server.listen.reach, groma::kLogServerCould);
        not warning.empty()) {
        options.server.report(warning);
    }
    std::optional<groma::AuditFile> audit;
    if (options.audit) {
        audit.emplace(*options.audit, "groma-log", clock, options.server.report);
    }
    options.server.audit = audit_to(audit);
    groma::harden_daemon({CAP_NET_ADMIN, CAP_NET_BIND_SERVICE},
                         {options.server.directory, options.server.keys.folder, options.server.web.certificate,
                          options.server.web.key, options.server.web.tokens, options.port_file.value_or("")});
    groma::LogServer server(options.server, clock);
    std::optional<groma::LogPage> page;
    if (not options.server.page.empty()) {
        const groma::LogPageOptions shown{.listen = options.server.page,
                                          .access = server.access(),
                                          .directory = options.server.directory,
                                          .say = options.server.report};
        page.emplace(shown, clock);
    }
    server.stop_on_signals();
    std::printf("groma-log " GROMA_VERSION ": %s\n", greeting(server, options.server).c_str());
    std::fflush(stdout);
    if (options.port_file) {
        static_cast<void>(groma::write_output(*options.port_file, std::to_string(server.port()) + '\n'));
    }
    server.run();
    return groma::kExitOk;
}

void print_lines(const char* before, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        std::printf("%s%s\n", before, groma::plain_text(line).c_str());
    }
}

int verify(const groma::StoredLogsRequest& request) {
    const groma::Verification found = groma::verify_logs(request);
    print_lines("", found.warnings);
    print_lines("wrong: ", found.errors);
    std::printf("%zu logs read, %zu errors\n", found.logs, found.errors.size());
    return found.errors.empty() ? groma::kExitOk : groma::kExitFailed;
}

int prune(const groma::StoredLogsRequest& request, groma::Clock& clock) {
    const groma::Pruning done = groma::prune_logs(request, clock.wall_now());
    print_lines(request.dry_run ? "would delete " : "deleted ", done.deleted);
    print_lines("being written, kept: ", done.kept);
    std::printf("%zu logs, %s%s\n", done.deleted.size(), groma::human_bytes(done.bytes).c_str(),
                request.dry_run ? " (nothing was deleted)" : "");
    return groma::kExitOk;
}

int export_logs(const groma::StoredLogsRequest& request, groma::Clock& clock) {
    std::printf("%zu logs exported to %s\n", groma::export_experiment(request, clock.wall_now()),
                groma::plain_text(request.output.string()).c_str());
    return groma::kExitOk;
}

int print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    return groma::kExitOk;
}

int program_body(const std::vector<std::string>& arguments) {
    groma::LogOptions options = groma::parse_log_options(arguments);
    groma::SystemClock clock;
    switch (options.command) {
        case groma::LogCommand::help:
            return print(groma::help_text(groma::log_option_table()));
        case groma::LogCommand::version:
            return print("groma-log " GROMA_VERSION "\n");
        case groma::LogCommand::serve:
            return serve(std::move(options), clock);
        case groma::LogCommand::list:
            return print(groma::list_logs(options.request));
        case groma::LogCommand::show:
            return print(groma::show_experiment(options.request));
        case groma::LogCommand::export_logs:
            return export_logs(options.request, clock);
        case groma::LogCommand::verify:
            return verify(options.request);
        case groma::LogCommand::prune:
            return prune(options.request, clock);
    }
    return groma::kExitOk;
}

}  // namespace

int main(int argc, char** argv) {
    return groma::run_main("groma-log", argc, argv, program_body);
}
