// The data sheet of a pair of hosts as text: the rates that the sender keeps, and their cost. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sender/calibration/calibration_plan.hpp"
#include "sender/calibration/facts.hpp"
#include "sender/calibration/point_result.hpp"
#include "sender/calibration/store.hpp"

namespace groma {

struct DataSheet {
    CalibrationSettings settings;
    Facts sender;
    Facts receiver;
    Facts options{};  ///< the sender's options
    std::vector<PointResult> results;
    std::vector<Limit> limits;
    bool complete = false;  ///< all points and searches have been measured
};

[[nodiscard]] std::string data_sheet_text(const DataSheet& sheet);

}  // namespace groma
