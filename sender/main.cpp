// groma-send: generates flows, sends them on time, and proves what it sent.
#include <unistd.h>

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
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
#include "common/shipping/spool_delivery.hpp"
#include "sender/calibration/calibrate.hpp"
#include "sender/calibration/pictures.hpp"
#include "sender/calibration/point_runner.hpp"
#include "sender/dry_run.hpp"
#include "sender/option_table.hpp"
#include "sender/options.hpp"
#include "sender/output_file.hpp"
#include "sender/profile_list.hpp"
#include "sender/remote_run.hpp"
#include "sender/report_json.hpp"
#include "sender/report_text.hpp"
#include "sender/send_run.hpp"
#include "sender/sender_daemon.hpp"
#include "sender/terminal_line.hpp"
#include "sender/transport_list.hpp"

namespace groma {
namespace {

void say(const SenderOptions& options, const std::string& sentence) {
    if (not options.quiet) {
        std::cerr << "groma-send: " << sentence << '\n';
    }
}

/// A run on this host, as run_via() makes it on another.
RunOutput run_here(SenderOptions options, const RemoteSurroundings& around) {
    const SendReport report = send_run(std::move(options), {.clock = around.clock,
                                                            .stop_requests = around.stop_requests,
                                                            .show_progress = around.show_progress,
                                                            .remark = around.remark});
    return {.text = report_text(report), .json = report_json(report), .failures = failures(report)};
}

int run(SenderOptions options, Clock& clock) {
    const bool json = options.json;
    const bool quiet = options.quiet;
    SignalSet signals = SignalSet::stop_signals();
    unsigned stop_requests = 0;
    TerminalLine line(STDERR_FILENO, not quiet);
    std::unique_ptr<OutputFile> json_file;
    if (not options.json_file.empty()) {
        json_file = std::make_unique<OutputFile>(options.json_file);
    }
    const RemoteSurroundings around{
        .clock = clock,
        .stop_requests =
            [&] {
                stop_requests += signals.take() ? 1U : 0U;
                return stop_requests;
            },
        .show_progress = line.shower(),
        .remark = [&](const std::string& sentence) { line.say("groma-send: " + plain_text(sentence)); }};
    const RunOutput output =
        options.via ? run_via(*options.via, options, around) : run_here(std::move(options), around);
    line.clear();
    if (json_file and not output.json.empty()) {
        json_file->complete(output.json);
    } else if (json and not json_file) {
        std::cout << output.json;
    }
    if (not quiet and (not json or json_file)) {
        std::cout << output.text;
    }
    std::cout.flush();
    for (const std::string& reason : output.failures) {
        std::cerr << "groma-send: " << plain_text(reason) << '\n';
    }
    return output.failures.empty() ? kExitOk : kExitFailed;
}

int run_calibration(const SenderOptions& options, Clock& clock) {
    SignalSet signals = SignalSet::stop_signals();
    unsigned stop_requests = 0;
    TerminalLine line(STDERR_FILENO, not options.quiet);
    const auto stop_asked = [&] {
        stop_requests += signals.take() ? 1U : 0U;
        return stop_requests;
    };
    const CalibrationSurroundings around{
        .clock = clock,
        .stop_requests = stop_asked,
        .show_progress = line.shower(),
        .remark = [&](const std::string& sentence) { line.say("groma-send: " + plain_text(sentence)); },
        .draw = draw_calibration,
        .sender = sender_facts(options.calibration->to),
        .run_point =
            [&](const CalibrationSettings& settings, const Point& point,
                const std::function<void(const Facts&)>& check_receiver) {
                return run_point(options, settings, point,
                                 {.clock = clock, .stop_requests = stop_asked, .check_receiver = check_receiver});
            }};
    const CalibrationOutcome outcome = calibrate(options, random_seed() >> 1U, around);
    line.clear();
    if (not options.quiet) {
        std::cout << outcome.text << std::flush;
    }
    if (not outcome.complete) {
        std::cerr << "groma-send: " << plain_text(outcome.rest) << '\n';
    }
    return outcome.complete ? kExitOk : kExitFailed;
}

int serve_runs(const SenderOptions& options, Clock& clock) {
    SenderDaemon daemon({.listen = options.daemon.listen,
                         .max_runs = options.daemon.max_runs,
                         .limits = {.log_dir = options.daemon.log_dir,
                                    .spool = options.spool_dir,
                                    .max_flows = options.daemon.max_flows},
                         .times = options.times,
                         .shipping = options.shipping.times,
                         .say = [&options](const std::string& line) { say(options, line); }},
                        clock);
    daemon.stop_on_signals();
    std::cout << daemon_line(daemon.addresses()) << std::endl;
    daemon.run();
    return kExitOk;
}

std::filesystem::path usual_spool() {
    return user_spool_folder(std::getenv("XDG_STATE_HOME"), std::getenv("HOME"), ::getuid());
}

int resume_spool(const SenderOptions& options, Clock& clock) {
    SpoolDelivery delivery({.folder = options.spool_dir,
                            .server = options.log_server,
                            .transport = options.log_transport,
                            .bytes_per_second = options.log_rate,
                            .program = "groma-send " GROMA_VERSION,
                            .of_program = {},
                            .limits = options.shipping,
                            .say = [](const std::string& line) { std::cout << plain_text(line) << std::endl; }},
                           clock);
    const DeliveryCounts counts = delivery.run();
    if (counts.delivered + counts.failed + counts.left_alone == 0) {
        std::cout << "nothing to deliver in " << options.spool_dir.string() << '\n';
    }
    return counts.all() ? kExitOk : kExitFailed;
}

void mention_spools(const SenderOptions& options) {
    const std::size_t spools = waiting_spools(options.spool_dir);
    if (spools > 0) {
        say(options, std::to_string(spools) + (spools == 1 ? " log" : " logs") + " of earlier runs " +
                         (spools == 1 ? "waits" : "wait") + " in " + options.spool_dir.string() +
                         ": deliver with groma-send --resume-spool --spool-dir " + options.spool_dir.string());
    }
}

int main_body(const std::vector<std::string>& arguments) {
    SenderOptions options = SenderOptions::parse(arguments, random_seed());
    if (options.spool_dir.empty()) {
        options.spool_dir = usual_spool();
    }
    for (const std::string& remark : options.remarks) {
        say(options, remark);
    }
    SystemClock clock;
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
        case SenderOptions::Action::list_transports:
            std::cout << transport_list();
            return kExitOk;
        case SenderOptions::Action::dry_run:
            print_dry_run(std::cout, options.experiment, options.dry_run_format,
                          std::numeric_limits<std::uint64_t>::max());
            return kExitOk;
        case SenderOptions::Action::resume_spool:
            return resume_spool(options, clock);
        case SenderOptions::Action::daemon:
            return serve_runs(options, clock);
        case SenderOptions::Action::calibrate:
            return run_calibration(options, clock);
        case SenderOptions::Action::run:
            break;
    }
    if (options.log_server and not options.via) {
        mention_spools(options);
    }
    return run(std::move(options), clock);
}

}  // namespace
}  // namespace groma

int main(int argc, char** argv) {
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    return groma::run_main("groma-send", [&] { return groma::main_body(arguments); });
}
