// groma-dec batch: summarises the repetitions of runs.
#pragma once

#include <span>
#include <string>

namespace groma {

/// `arguments` after the word "batch". Returns: the exit status: 0; 1 when runs were left out, or standard output was
/// closed (everything else is written all the same). Throws: UsageError, SystemError, RunError.
[[nodiscard]] int run_batch_command(std::span<const std::string> arguments);

}  // namespace groma
