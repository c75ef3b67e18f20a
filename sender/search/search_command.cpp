#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/output.hpp"
#include "sender/commands/console.hpp"
#include "sender/commands/sender_commands.hpp"
#include "sender/plan/common_rate.hpp"
#include "sender/run/send_run.hpp"
#include "sender/search/highest_rate.hpp"
#include "sender/search/search_output.hpp"

namespace groma {

namespace {

/// Trials draw differently, so that a burst of one seed does not decide all of them.
SenderOptions options_of_trial(const SenderOptions& model, std::vector<FlowSpec> flows, std::size_t number) {
    SenderOptions options = model;
    options.action = SenderOptions::Action::run;
    options.experiment.seed += number;
    options.experiment.flows = std::move(flows);
    for (FlowSpec& flow : options.experiment.flows) {
        flow.seed = options.experiment.seed;
    }
    return options;
}

std::string why_not_found(const HighestRate& search) {
    return not search.error.empty() ? search.error
           : search.complete        ? "no rate was found that keeps " + to_string(search.required)
                                    : "stopped before a rate was found";
}

HighestRate search_with(const SenderOptions& options, Clock& clock, Console& console) {
    StopRequests stop_requests;
    const CommonRate flows(options.experiment.flows);
    const auto progress = console.progress();
    const RunSurroundings around{.clock = clock,
                                 .stop_requests = [&] { return stop_requests.count(); },
                                 .show_progress = progress,
                                 .say = [&](const std::string& sentence) { console.say(sentence); }};
    const auto make = [&](double pps, std::size_t number) -> std::optional<SendReport> {
        if (stop_requests.count() > 0) {
            return std::nullopt;
        }
        SendReport report = send_run(options_of_trial(options, flows.flows_at(pps), number), around);
        return report.interrupted ? std::nullopt : std::optional(std::move(report));
    };
    std::size_t trials = 0;
    const MonoTime began = clock.now();
    HighestRate result = search_highest_rate(*options.search, make, [&](const Trial& trial) {
        ++trials;
        if (progress) {
            console.say(trial_text(trial, trials, flows.bits_per_packet()));
        }
    });
    result.took = clock.now() - began;
    result.bits_per_packet = flows.bits_per_packet();
    result.required = options.experiment.required;
    console.clear();
    return result;
}

}  // namespace

int search_command(const SenderOptions& options, Clock& clock) {
    check(options.search.has_value(), "a search was asked for");
    Console console(options.quiet);
    std::unique_ptr<OutputStream> json_file;
    if (not options.json_file.empty()) {
        json_file = std::make_unique<OutputStream>(options.json_file);
    }
    const HighestRate result = search_with(options, clock, console);
    if (json_file) {
        json_file->complete(search_json(result));
    } else if (options.json) {
        std::cout << search_json(result);
    }
    if (prints_text(options)) {
        std::cout << search_text(result);
    }
    std::cout.flush();
    if (not result.found()) {
        std::cerr << "groma-send: " << plain_text(why_not_found(result), 600) << '\n';
    }
    return result.found() ? kExitOk : kExitFailed;
}

}  // namespace groma
