// The flows of a run: built from options, or from an experiment file with options applied.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/cli/command_line.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/model/experiment/experiment.hpp"

namespace groma {

/// N equal flows as the options describe them (ids from 1, named "flow" or "flow-1", "flow-2", ...). Adds errors in
/// options to `errors`; the result is valid only without errors. Adds defaults worth a mention to `warnings`.
[[nodiscard]] std::vector<FlowSpec> flows_from_options(const CommandLine& line, std::uint64_t seed, UsageErrors& errors,
                                                       std::vector<std::string>& warnings);

/// Overrides the stop rules and the control port of an experiment file by the command line's, and sets the experiment's
/// seed in its flows. Options that describe a flow are errors: the file defines the flows.
void override_experiment(const CommandLine& line, Experiment& experiment, UsageErrors& errors);

}  // namespace groma
