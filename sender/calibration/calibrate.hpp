// groma-send --calibrate: measures the points missing in the database, writes the data sheet and draws it.
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

/// Measures a point (calibration_command.cpp). Passes the receiver's facts to `check_receiver` before it returns a
/// result. Returns: empty if the user stopped it.
using RunPoint = std::function<std::optional<PointResult>(const CalibrationSettings& settings, const Point& point,
                                                          const std::function<void(const Facts&)>& check_receiver)>;

struct CalibrationSurroundings {
    Clock& clock;
    std::function<unsigned()> stop_requests;                ///< as in RunSurroundings
    std::function<void(const std::string&)> show_progress;  ///< a line that the next one overwrites; may be empty
    std::function<void(const std::string&)> say;            ///< a sentence for the user
    /// Draws the database's pictures into its folder. Returns: a message for the user.
    std::function<std::string(const std::filesystem::path& database)> draw;
    Facts sender;  ///< of this host
    RunPoint run_point;
};

struct CalibrationOutcome {
    bool complete = false;
    std::string text;  ///< the data sheet
    std::string rest;  ///< why the sheet is incomplete, and what to do; empty: complete
};

/// Requires: options.calibration. Thread: its caller's; plus those of `run_point`. Throws: RunError when the folder
/// holds the calibration of other hosts or with other settings, or is in use; what `run_point` throws. Measured points
/// stay in the database.
[[nodiscard]] CalibrationOutcome calibrate(const SenderOptions& options, std::uint64_t fresh_seed,
                                           const CalibrationSurroundings& around);

}  // namespace groma
