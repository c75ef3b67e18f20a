// groma-send: generates flows, sends them on time, and proves what it sent.
#include <unistd.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include "common/cli/run_main.hpp"
#include "common/os/host.hpp"
#include "common/os/system_clock.hpp"
#include "common/shipping/shipper/spool_delivery.hpp"
#include "joint/joint_run.hpp"
#include "sender/commands/console.hpp"
#include "sender/commands/sender_commands.hpp"
#include "sender/plan/dry_run.hpp"

namespace {

int program_body(const std::vector<std::string>& arguments) {
    using Action = groma::SenderOptions::Action;
    groma::SenderOptions options = groma::SenderOptions::parse(arguments, groma::random_seed());
    if (options.spool_dir.empty()) {
        options.spool_dir = groma::user_spool_folder(std::getenv("XDG_STATE_HOME"), std::getenv("HOME"), ::getuid());
    }
    if (options.action == Action::run or options.action == Action::calibrate or options.action == Action::search or
        options.action == Action::resume_spool) {
        options.key = groma::find_user_key(options.key_file, std::getenv("GROMA_KEY"), std::getenv("XDG_CONFIG_HOME"),
                                           std::getenv("HOME"));
    }
    groma::Console console(options.quiet);
    for (const std::string& warning : options.warnings) {
        console.say(warning);
    }
    groma::SystemClock clock;
    switch (options.action) {
        case Action::run:
            return run_command(std::move(options), clock, groma::run_jointly);
        case Action::daemon:
            return daemon_command(options, clock);
        case Action::calibrate:
            return calibration_command(options, clock);
        case Action::search:
            return search_command(options, clock);
        case Action::resume_spool:
            return spool_command(options, clock);
        case Action::dry_run:
            print_dry_run(std::cout, options.experiment, options.dry_run_format);
            return groma::kExitOk;
        case Action::print_test:
            std::cout << options.test_file;
            return groma::kExitOk;
        default:
            std::cout << answer(options.action).value_or("");
            return groma::kExitOk;
    }
}

}  // namespace

int main(int argc, char** argv) {
    return groma::run_main("groma-send", argc, argv, program_body);
}
