#include "sender/commands/sender_commands.hpp"

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/http/metrics_thread.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/os/output.hpp"
#include "common/os/reserved_cores.hpp"
#include "common/page/page_thread.hpp"
#include "sender/commands/console.hpp"
#include "sender/commands/row_output.hpp"
#include "sender/daemon/remote_run.hpp"
#include "sender/plan/directions.hpp"
#include "sender/report/report_json.hpp"
#include "sender/report/report_text.hpp"
#include "sender/run/posted_send.hpp"
#include "sender/run/send_run.hpp"
#include "sender/run/sender_metrics.hpp"

namespace groma {

namespace {

constexpr Nanos kHoldTick = std::chrono::milliseconds(100);

/// Runs on this host; run_via() is the same on another host.
RunOutput run_here(SenderOptions options, const RemoteSurroundings& around) {
    const bool verbose = options.verbose;
    const SendReport report = send_run(std::move(options), {.clock = around.clock,
                                                            .stop_requests = around.stop_requests,
                                                            .show_progress = around.show_progress,
                                                            .rows = around.rows,
                                                            .say = around.say,
                                                            .live = around.live});
    return {.text = report_text(report, verbose), .json = report_json(report), .failures = failures(report)};
}

/// `json_file`: null: none.
void print(const RunOutput& output, OutputStream* json_file, bool as_json, bool as_text) {
    if (json_file != nullptr and not output.json.empty()) {
        json_file->complete(output.json);
    } else if (as_json and json_file == nullptr) {
        std::cout << output.json;
    }
    if (as_text) {
        std::cout << output.text;
    }
    std::cout.flush();
    for (const std::string& reason : output.failures) {
        std::cerr << "groma-send: " << plain_text(reason) << '\n';
    }
}

/// Null: none are wanted. The run outlives what is returned. Its thread stays off the cores of those that send.
std::unique_ptr<MetricsThread> serve_metrics(const SenderOptions& options, Console& console, const LiveRun& run,
                                             WebAccess* access, Clock& clock) {
    if (options.metrics.empty()) {
        return nullptr;
    }
    const ReservedCores reserved(options.pin);
    return std::make_unique<MetricsThread>(
        MetricsPage{.listen = options.metrics,
                    .program = "groma-send",
                    .access = access,
                    .give = [&run](Exposition& to) { to.add(sender_metrics(), run.so_far()); },
                    .say = [&console](const std::string& line) { console.say(line); }},
        clock);
}

/// The live page of one run.
class RunPage {
public:
    RunPage(const SenderOptions& options, Console& console, WebAccess* access, Clock& clock)
        : page_({.listen = options.page,
                 .program = "groma-send",
                 .access = access,
                 .say = [&console](const std::string& line) { console.say(line); }},
                board_, clock),
          run_(board_, options, clock) {}

    [[nodiscard]] PostedSend& run() { return run_; }

private:
    RunBoard board_;
    PageThread page_;
    PostedSend run_;
};

/// Null: none is wanted. Its thread stays off the cores of those that send.
std::unique_ptr<RunPage> show_page(const SenderOptions& options, Console& console, WebAccess* access, Clock& clock) {
    if (options.page.empty()) {
        return nullptr;
    }
    const ReservedCores reserved(options.pin);
    return std::make_unique<RunPage>(options, console, access, clock);
}

/// The page stays after the run, until somebody stops the program.
void hold_page(Nanos hold, StopRequests& stop_requests, Console& console, Clock& clock) {
    const unsigned requests = stop_requests.count();
    const MonoTime end = clock.now() + hold;
    console.say("the page stays for " + duration_to_string(hold) + " (--web-hold): Ctrl-C ends it");
    while (clock.now() < end and stop_requests.count() == requests) {
        clock.sleep_until(std::min(clock.now() + kHoldTick, end));
    }
}

}  // namespace

int run_command(SenderOptions options, Clock& clock, RunJointly jointly) {
    options.seal_flows();  // before others are told of them
    const bool json = options.json;
    const bool text = prints_text(options);
    Console console(options.quiet);
    if (options.log_server and not options.via) {
        mention_waiting_spools(options, console);
    }
    StopRequests stop_requests;
    std::unique_ptr<OutputStream> json_file;
    if (not options.json_file.empty()) {
        json_file = std::make_unique<OutputStream>(options.json_file);
    }
    LiveRun live;
    std::optional<WebAccess> web;
    if (not options.web.certificate.empty()) {
        web.emplace(options.web, clock, [&console](const std::string& line) { console.say(line); });
    }
    const std::unique_ptr<MetricsThread> metrics = serve_metrics(options, console, live, web ? &*web : nullptr, clock);
    RowOutput rows(options, console);
    const Nanos hold = options.page_hold;
    const std::unique_ptr<RunPage> page = show_page(options, console, web ? &*web : nullptr, clock);
    const RemoteSurroundings around{.clock = clock,
                                    .stop_requests = [&] { return stop_requests.count(); },
                                    .show_progress = console.progress(),
                                    .say = [&](const std::string& sentence) { console.say(sentence); },
                                    .rows = page ? page->run().rows(rows.wanted()) : rows.wanted(),
                                    .live = &live};
    const bool joint = has_reverse(options.experiment.flows) or not options.agents.empty();
    RunOutput output;
    try {
        output = options.via ? run_via(*options.via, options, around)
                 : joint     ? jointly(std::move(options), around)
                             : run_here(std::move(options), around);
    } catch (const std::exception& error) {
        console.clear();
        if (page) {
            page->run().end({}, {}, {plain_text(error.what())});
        }
        if (hold > Nanos{0}) {
            console.say("the run has failed: " + plain_text(error.what()));
            hold_page(hold, stop_requests, console, clock);
        }
        throw;
    }
    console.clear();
    rows.keep();
    if (not rows.error().empty()) {
        output.failures.push_back(rows.error());
    }
    if (page) {
        page->run().end(output.text, output.json, output.failures);
    }
    print(output, json_file.get(), json, text);
    if (hold > Nanos{0}) {
        hold_page(hold, stop_requests, console, clock);
    }
    return output.failures.empty() ? kExitOk : kExitFailed;
}

}  // namespace groma
