// Sinks made of sinks: several at once, or none.
#pragma once

#include <memory>
#include <vector>

#include "common/log/log_sink.hpp"

namespace groma {

/// Passes each piece to every sink. A sink that throws gets no more pieces; the others still get all. close() closes
/// those, then throws RunError with all failures. append() throws RunError only if no sink is left.
[[nodiscard]] std::unique_ptr<LogSink> tee(std::vector<std::unique_ptr<LogSink>> sinks);

/// Discards everything.
[[nodiscard]] std::unique_ptr<LogSink> null_sink();

}  // namespace groma
