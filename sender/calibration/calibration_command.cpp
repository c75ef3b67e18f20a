#include "sender/commands/sender_commands.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/net/device/about_host.hpp"
#include "common/net/device/network_device.hpp"
#include "common/os/child_process.hpp"
#include "common/os/host.hpp"
#include "sender/calibration/calibrate.hpp"
#include "sender/calibration/sent_gaps.hpp"
#include "sender/commands/console.hpp"
#include "sender/report/verdict.hpp"
#include "sender/run/send_run.hpp"

namespace groma {

namespace {

constexpr const char* kReceiverLog = "calibration.glog";
/// For packets that are still on their way, unless told otherwise: longer waits would cost more than the points
/// themselves.
constexpr Nanos kWait = std::chrono::milliseconds(500);

/// Removes the log of a point, whatever became of it.
class PassingLog {
public:
    explicit PassingLog(const std::filesystem::path& file) : file_(file) {}
    PassingLog(const PassingLog&) = delete;
    PassingLog& operator=(const PassingLog&) = delete;
    ~PassingLog() {
        std::error_code ignored;
        std::filesystem::remove(file_, ignored);
        std::filesystem::remove(file_.string() + ".part", ignored);
    }

private:
    const std::filesystem::path& file_;
};

void require_whole(const SendReport& report) {
    const FlowReport& flow = report.flows.front();
    if (flow.outcome.counts.end == FlowEnd::failed) {
        throw RunError("the point cannot count: " + flow.outcome.error);
    }
    for (const ReceiverReport& receiver : report.receivers) {
        if (not receiver.lost.empty()) {
            throw RunError("the point cannot count: " + receiver.lost);
        }
        if (not receiver.log_error.empty()) {
            throw RunError("the point cannot count: the receiver's log: " + receiver.log_error);
        }
    }
    if (report.log and not report.log->error.empty()) {
        throw RunError("the point cannot count: the log " + report.log->name + ": " + report.log->error);
    }
}

std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) {
        text.append(text.empty() ? "" : "; ").append(sentence);
    }
    return text;
}

Facts receiver_facts(const SendReport& report) {
    const ReceiverReport& receiver = report.receivers.front();
    Facts facts = receiver.about;
    facts["host"] = receiver.host;
    facts["address"] = receiver.address;
    facts["shares the sender's kernel"] = receiver.same_clock ? "yes" : "no";
    return facts;
}

SenderOptions options_for(const SenderOptions& model, const CalibrationSettings& settings, const Point& point,
                          const std::string& log) {
    SenderOptions options = model;
    options.action = SenderOptions::Action::run;
    options.experiment = {};
    options.experiment.name = "calibration";
    options.experiment.seed = settings.seed;
    options.experiment.flows = {flow_of(settings, point, model.calibration->to)};
    options.wait = model.calibration->wait.value_or(kWait);
    const LoggingWay way = point.series.logging;
    if (way == LoggingWay::local) {
        options.log = log;
        options.replace_log = true;  // of a calibration that was killed
        options.receiver_log = kReceiverLog;
        options.discard_receiver_log = true;
    }
    if (way == LoggingWay::tcp or way == LoggingWay::udp) {
        options.log_transport = way == LoggingWay::tcp ? LogTransport::tcp : LogTransport::udp;
        options.receiver_log_transport = options.log_transport;
    } else {
        options.log_server.reset();
        options.receiver_log_server.reset();
    }
    return options;
}

struct PointSurroundings {
    Clock& clock;
    std::function<unsigned()> stop_requests;  ///< as in RunSurroundings
    /// Takes what the receiver says of itself, before the point counts; throws when it is the wrong one.
    std::function<void(const Facts&)> check_receiver;
};

/// A run of the sender with one flow, like any other run. `model`: how the sender works, and the calibration's receiver
/// and folder; its experiment and its logs are not used. Returns: nothing when the user stopped it. Throws: what
/// send_run() does; RunError when the point cannot count, because the receiver or a log was lost. Requires:
/// model.calibration.
std::optional<PointResult> run_point(const SenderOptions& model, const CalibrationSettings& settings,
                                     const Point& point, const PointSurroundings& around) {
    check(model.calibration.has_value(), "points belong to a calibration");
    const std::filesystem::path log = model.calibration->out / "point.glog";
    const SenderOptions options = options_for(model, settings, point, log.string());
    const PassingLog passing(log);
    const MonoTime began = around.clock.now();
    const SendReport report =
        send_run(options, {.clock = around.clock, .stop_requests = around.stop_requests, .show_progress = {}});
    if (report.interrupted or around.stop_requests() > 0) {
        return std::nullopt;
    }
    require_whole(report);
    around.check_receiver(receiver_facts(report));
    const Verdict verdict = judge(report.flows);
    PointResult result;
    result.point = point;
    result.run_id = report.run_id;
    result.started_at = report.started_at;
    result.idt = idt_to_string(options.experiment.flows.front().idt);
    result.verdict = to_string(verdict.result);
    result.explanation = verdict.text;
    result.failures = joined(failures(report));
    std::vector<std::string> warnings = report.pacing.warnings;
    const std::vector<std::string>& of_flow = report.flows.front().warnings;
    warnings.insert(warnings.end(), of_flow.begin(), of_flow.end());
    result.warnings = joined(warnings);
    result.figures = figures_of(report);
    if (keeps_gaps(settings, point)) {
        result.gaps = gaps_in_log(log, options.experiment.flows.front().idt);
    }
    result.took = around.clock.now() - began;
    return result;
}

/// What this host says of itself and of its way to the receiver. Throws: RunError when that name is not known.
Facts sender_facts(const Target& to) {
    Facts facts = about_host(local_address_towards(resolve(to.host, to.control_port)));
    facts["program"] = "groma-send " GROMA_VERSION;
    return facts;
}

constexpr const char* kPlotter = "groma-plot";

std::string plotter() {
    std::error_code error;
    const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", error);
    const std::filesystem::path beside = own.parent_path() / kPlotter;
    return not error and std::filesystem::exists(beside, error) ? beside.string() : kPlotter;
}

std::string later(const std::string& why, const std::filesystem::path& database) {
    const std::string folder = database.parent_path().string();
    return "no pictures: " + why + "; draw them later with groma-plot " + database.string() + " -o " +
           (folder.empty() ? "." : folder);
}

std::string last_line(std::string text) {
    while (not text.empty() and text.back() == '\n') {
        text.pop_back();
    }
    return text.substr(text.find_last_of('\n') + 1);
}

/// Draws into the database's folder, as SVG and PNG, with the groma-plot beside this program or else the one in PATH.
/// Returns: what to tell the user, also when nothing could be drawn: then how to do it later. Blocks.
std::string draw_calibration(const std::filesystem::path& database) {
    const std::filesystem::path folder = database.has_parent_path() ? database.parent_path() : ".";
    try {
        const ChildResult result =
            run_child({plotter(), database.string(), "-o", folder.string(), "--format", "svg,png"}, "");
        if (result.status != 0) {
            return later(last_line(result.output), database);
        }
    } catch (const SystemError& error) {
        return later(error.what(), database);
    }
    return "the pictures are in " + folder.string();
}

}  // namespace

int calibration_command(const SenderOptions& options, Clock& clock) {
    StopRequests stop_requests;
    Console console(options.quiet);
    const auto stop_asked = [&] { return stop_requests.count(); };
    const CalibrationSurroundings around{
        .clock = clock,
        .stop_requests = stop_asked,
        .show_progress = console.progress(),
        .say = [&](const std::string& sentence) { console.say(sentence); },
        .draw = draw_calibration,
        .sender = sender_facts(options.calibration->to),
        .run_point =
            [&](const CalibrationSettings& settings, const Point& point,
                const std::function<void(const Facts&)>& check_receiver) {
                return run_point(options, settings, point,
                                 {.clock = clock, .stop_requests = stop_asked, .check_receiver = check_receiver});
            }};
    const CalibrationOutcome outcome = calibrate(options, random_seed() >> 1U, around);
    console.clear();
    if (not options.quiet) {
        std::cout << outcome.text << std::flush;
    }
    if (not outcome.complete) {
        std::cerr << "groma-send: " << plain_text(outcome.rest) << '\n';
    }
    return outcome.complete ? kExitOk : kExitFailed;
}

}  // namespace groma
