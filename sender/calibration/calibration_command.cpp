#include "sender/calibration/calibration_command.hpp"

#include <functional>
#include <iostream>
#include <string>

#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/host.hpp"
#include "sender/calibration/calibrate.hpp"
#include "sender/calibration/pictures.hpp"
#include "sender/calibration/point_runner.hpp"
#include "sender/commands/console.hpp"

namespace groma {

int calibration_command(const SenderOptions& options, Clock& clock) {
    StopRequests stop_requests;
    Console console(options.quiet);
    const auto stop_asked = [&] { return stop_requests.count(); };
    const CalibrationSurroundings around{
        .clock = clock,
        .stop_requests = stop_asked,
        .show_progress = console.progress(),
        .remark = [&](const std::string& sentence) { console.say(sentence); },
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
