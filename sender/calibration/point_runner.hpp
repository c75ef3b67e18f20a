// Measures one point: a run of the sender with one flow, like any other run.
#pragma once

#include <functional>
#include <optional>

#include "common/time/clock.hpp"
#include "sender/calibration/calibration_plan.hpp"
#include "sender/calibration/facts.hpp"
#include "sender/calibration/point_result.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

struct PointSurroundings {
    Clock& clock;
    std::function<unsigned()> stop_requests;  ///< as in RunSurroundings
    /// Takes what the receiver says of itself, before the point counts; throws when it is the wrong one.
    std::function<void(const Facts&)> check_receiver;
};

/// `model`: how the sender works, and the calibration's receiver and folder; its experiment and its logs are not used.
/// Returns: nothing when the user stopped it. Throws: what send_run() does; RunError when the point cannot count,
/// because the receiver or a log was lost. Requires: model.calibration.
[[nodiscard]] std::optional<PointResult> run_point(const SenderOptions& model, const CalibrationSettings& settings,
                                                   const Point& point, const PointSurroundings& around);

/// What this host says of itself and of its way to the receiver. Throws: RunError when that name is not known.
[[nodiscard]] Facts sender_facts(const Target& to);

}  // namespace groma
