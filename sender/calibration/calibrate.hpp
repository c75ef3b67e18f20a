// groma-send --calibrate from beginning to end: measures what is not yet in the database, then writes the data sheet
// and has it drawn.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "common/time/clock.hpp"
#include "sender/calibration/calibration_plan.hpp"
#include "sender/calibration/facts.hpp"
#include "sender/calibration/point_result.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// Measures a point (point_runner.hpp). Hands what the receiver says of itself to `check_receiver` before it returns a
/// result. Returns: nothing when the user stopped it.
using RunPoint = std::function<std::optional<PointResult>(const CalibrationSettings& settings, const Point& point,
                                                          const std::function<void(const Facts&)>& check_receiver)>;

struct CalibrationSurroundings {
    Clock& clock;
    std::function<unsigned()> stop_requests;                ///< as in RunSurroundings
    std::function<void(const std::string&)> show_progress;  ///< a line that is written over; may be empty
    std::function<void(const std::string&)> say;            ///< a sentence for the user
    /// Draws the database's pictures into its folder. Returns: what to tell the user.
    std::function<std::string(const std::filesystem::path& database)> draw;
    Facts sender;  ///< of this host
    RunPoint run_point;
};

struct CalibrationOutcome {
    bool complete = false;
    std::string text;  ///< the data sheet
    std::string rest;  ///< why it is not complete, and what to do; empty: it is
};

/// Requires: options.calibration. Thread: its caller's; what `run_point` makes.
/// Throws: RunError when the folder holds the calibration of other hosts or with other settings, or is in use; what
/// `run_point` throws. What was measured stays in the database.
[[nodiscard]] CalibrationOutcome calibrate(const SenderOptions& options, std::uint64_t fresh_seed,
                                           const CalibrationSurroundings& around);

}  // namespace groma
