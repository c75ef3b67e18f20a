// The flows of a run from options: made of them, or those of an experiment file changed by them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/model/experiment/experiment.hpp"

namespace groma {

/// N equal flows as the options describe them (ids from 1, named "flow" or "flow-1", "flow-2", ...). Whatever is wrong
/// with the options is added to `errors`; the result is of use only if there are none. What was decided for want of
/// an option is added to `warnings`.
[[nodiscard]] std::vector<FlowSpec> flows_from_options(const CommandLine& line, std::uint64_t seed, UsageErrors& errors,
                                                       std::vector<std::string>& warnings);

/// Puts the stop rules and the control port of the command line over those of an experiment file, and the experiment's
/// seed into its flows. Options that describe a flow are errors: the file has its own flows.
void override_experiment(const CommandLine& line, Experiment& experiment, UsageErrors& errors);

}  // namespace groma
