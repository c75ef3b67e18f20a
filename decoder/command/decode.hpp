// The main command of groma-dec, from its options to its exit status.
#pragma once

#include "common/time/clock.hpp"
#include "decoder/command/decoder_options.hpp"

namespace groma {

/// Reads the logs, writes what was asked for, warns on standard error.
/// Returns: 0; 1 when a log is damaged, cut short or lacks records, or when standard output was closed (everything else
/// is written all the same). Throws: UsageError, ParseError (not a log), SystemError, RunError.
[[nodiscard]] int decode(const DecoderOptions& options, Clock& clock);

}  // namespace groma
