// groma-send: generates flows, sends them on time, and proves what it sent.
#include <unistd.h>

#include <fmt/format.h>

#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/host.hpp"
#include "common/os/signal_set.hpp"
#include "common/os/system_clock.hpp"
#include "sender/dry_run.hpp"
#include "sender/option_table.hpp"
#include "sender/options.hpp"
#include "sender/output_file.hpp"
#include "sender/profile_list.hpp"
#include "sender/report_json.hpp"
#include "sender/report_text.hpp"
#include "sender/send_run.hpp"
#include "sender/terminal_line.hpp"

namespace groma {
namespace {

void say(const SenderOptions& options, const std::string& sentence) {
    if (not options.quiet) {
        std::cerr << "groma-send: " << sentence << '\n';
    }
}

int run(const SenderOptions& options) {
    SignalSet signals = SignalSet::stop_signals();
    unsigned stop_requests = 0;
    SystemClock clock;
    TerminalLine line(STDERR_FILENO, not options.quiet);
    std::unique_ptr<OutputFile> json_file;
    if (not options.json_file.empty()) {
        json_file = std::make_unique<OutputFile>(options.json_file);
    }
    const SendReport report = send_run(options, {.clock = clock,
                                                 .stop_requests =
                                                     [&] {
                                                         stop_requests += signals.take() ? 1U : 0U;
                                                         return stop_requests;
                                                     },
                                                 .show_progress = line.shower()});
    line.clear();
    if (json_file) {
        json_file->complete(report_json(report));
    } else if (options.json) {
        std::cout << report_json(report);
    }
    if (not options.quiet and (not options.json or json_file)) {
        std::cout << report_text(report);
    }
    std::cout.flush();
    const std::vector<std::string> reasons = failures(report);
    for (const std::string& reason : reasons) {
        std::cerr << "groma-send: " << plain_text(reason) << '\n';
    }
    return reasons.empty() ? kExitOk : kExitFailed;
}

int main_body(const std::vector<std::string>& arguments) {
    const SenderOptions options = SenderOptions::parse(arguments, random_seed());
    for (const std::string& remark : options.remarks) {
        say(options, remark);
    }
    switch (options.action) {
        case SenderOptions::Action::help:
            std::cout << help_text(sender_option_table());
            return kExitOk;
        case SenderOptions::Action::version:
            std::cout << "groma-send " << GROMA_VERSION << '\n';
            return kExitOk;
        case SenderOptions::Action::list_profiles:
            std::cout << profile_list();
            return kExitOk;
        case SenderOptions::Action::dry_run:
            print_dry_run(std::cout, options.experiment, options.dry_run_format,
                          std::numeric_limits<std::uint64_t>::max());
            return kExitOk;
        case SenderOptions::Action::run:
            break;
    }
    return run(options);
}

}  // namespace
}  // namespace groma

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    return groma::run_main("groma-send", [&] { return groma::main_body(arguments); });
}
