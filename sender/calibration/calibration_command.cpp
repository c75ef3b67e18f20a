#include "sender/calibration/calibration_command.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <string>
#include <system_error>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/child_process.hpp"
#include "common/os/host.hpp"
#include "sender/calibration/calibrate.hpp"
#include "sender/calibration/point_runner.hpp"
#include "sender/commands/console.hpp"

namespace groma {

namespace {

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
