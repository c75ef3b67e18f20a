#include "logserver/commands/commands.hpp"

#include <cstdio>
#include <string>

#include "common/base/plain_text.hpp"
#include "common/cli/human.hpp"
#include "common/cli/run_main.hpp"
#include "logserver/commands/export.hpp"
#include "logserver/commands/list.hpp"
#include "logserver/commands/prune.hpp"
#include "logserver/commands/verify.hpp"

namespace groma {

namespace {

void print_lines(const char* before, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        std::printf("%s%s\n", before, plain_text(line).c_str());
    }
}

int verify(const StoredLogsRequest& request) {
    const Verification found = verify_logs(request);
    print_lines("", found.warnings);
    print_lines("wrong: ", found.errors);
    std::printf("%zu logs read, %zu errors\n", found.logs, found.errors.size());
    return found.errors.empty() ? kExitOk : kExitFailed;
}

int prune(const StoredLogsRequest& request, Clock& clock) {
    const Pruning done = prune_logs(request, clock.wall_now());
    print_lines(request.dry_run ? "would delete " : "deleted ", done.deleted);
    print_lines("being written, kept: ", done.kept);
    std::printf("%zu logs, %s%s\n", done.deleted.size(), human_bytes(done.bytes).c_str(),
                request.dry_run ? " (nothing was deleted)" : "");
    return kExitOk;
}

}  // namespace

int run_command(const LogOptions& options, Clock& clock) {
    switch (options.command) {
        case LogCommand::list:
            std::fputs(list_logs(options.request).c_str(), stdout);
            break;
        case LogCommand::show:
            std::fputs(show_experiment(options.request).c_str(), stdout);
            break;
        case LogCommand::export_logs:
            std::printf("%zu logs exported to %s\n", export_experiment(options.request, clock.wall_now()),
                        plain_text(options.request.output.string()).c_str());
            break;
        case LogCommand::verify:
            return verify(options.request);
        case LogCommand::prune:
            return prune(options.request, clock);
        case LogCommand::serve:
        case LogCommand::help:
        case LogCommand::version:
            break;
    }
    return kExitOk;
}

}  // namespace groma
