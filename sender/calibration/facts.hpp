// What a calibration is about, as names and values: the settings, and both hosts. Pure.
#pragma once

#include <map>
#include <string>

#include "sender/calibration/calibration_plan.hpp"
#include "sender/options/sender_options.hpp"

namespace groma {

/// By name; texts that a person can read.
using Facts = std::map<std::string, std::string>;

/// Settings as texts that settings_from() reads back to equal ones.
[[nodiscard]] Facts settings_facts(const CalibrationSettings& settings);

/// Throws: UsageError when something is missing or is none of what settings_facts() writes.
[[nodiscard]] CalibrationSettings settings_from(const Facts& facts);

/// Why what the user asks for now is not what `kept` has, a sentence each; what was not asked for cannot differ.
[[nodiscard]] std::vector<std::string> differences(const CalibrationSettings& kept,
                                                   const CalibrationArguments& arguments);

/// How the sender works, of all that the user can ask for and that changes what is measured: by option.
[[nodiscard]] Facts option_facts(const SenderOptions& options);

/// Why it does not work as it did, a sentence each.
[[nodiscard]] std::vector<std::string> option_differences(const Facts& kept, const Facts& now);

/// Why the hosts are not those that were measured before, a sentence each. Compared are those facts of `now` that are
/// in `identity`.
[[nodiscard]] std::vector<std::string> differences(const Facts& kept, const Facts& now,
                                                   const std::vector<std::string>& identity, const std::string& whose);

}  // namespace groma
