// groma-dec report: from logs to one HTML file.
#pragma once

#include <span>
#include <string>

#include "common/time/clock.hpp"

namespace groma {

/// `arguments` after the word "report". Returns: the exit status, as of groma-dec itself.
/// Throws: UsageError, ParseError (not a log), SystemError, RunError.
[[nodiscard]] int run_report_command(std::span<const std::string> arguments, Clock& clock);

}  // namespace groma
