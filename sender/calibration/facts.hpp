// The settings and both hosts of a calibration as names and values. Pure.
#pragma once

#include <map>
#include <string>

#include "sender/calibration/calibration_plan.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// Human-readable values by name.
using Facts = std::map<std::string, std::string>;

/// Settings as texts; settings_from() reads them back.
[[nodiscard]] Facts settings_facts(const CalibrationSettings& settings);

/// Throws: UsageError if a value is missing or not of the form that settings_facts() writes.
[[nodiscard]] CalibrationSettings settings_from(const Facts& facts);

/// Differences between the user's arguments and `kept`, a sentence each. Arguments not given do not count.
[[nodiscard]] std::vector<std::string> differences(const CalibrationSettings& kept,
                                                   const CalibrationArguments& arguments);

/// The options that influence the measurement, with their values.
[[nodiscard]] Facts option_facts(const SenderOptions& options);

/// Differences between the options then and now, a sentence each.
[[nodiscard]] std::vector<std::string> option_differences(const Facts& kept, const Facts& now);

/// Differences between the hosts measured before and `now`, a sentence each. Compares only the facts named in
/// `identity`.
[[nodiscard]] std::vector<std::string> differences(const Facts& kept, const Facts& now,
                                                   const std::vector<std::string>& identity, const std::string& whose);

}  // namespace groma
