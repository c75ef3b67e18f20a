// Sinks made of sinks: several at once, or none.
#pragma once

#include <memory>
#include <vector>

#include "common/log/log_sink.hpp"

namespace groma {

/// Hands each piece to every sink. A sink that throws gets no more and keeps none of the others from getting the rest;
/// close() closes those, then throws RunError with all that failed and why. append() throws RunError only when no sink
/// is left.
[[nodiscard]] std::unique_ptr<LogSink> tee(std::vector<std::unique_ptr<LogSink>> sinks);

/// Takes everything and keeps nothing.
[[nodiscard]] std::unique_ptr<LogSink> null_sink();

}  // namespace groma
