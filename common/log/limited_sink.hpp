// A log that may have a number of bytes, and no more.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "common/log/log_sink.hpp"

namespace groma {

/// Says why there is no more than the number of bytes that the log has, and what to do.
using FullnessInWords = std::function<std::string(std::uint64_t bytes)>;

/// append() throws RunError for the first piece that would make the log longer than `most_bytes`. From then on it takes
/// nothing, and close() throws as well: the log stays as incomplete as a full disk leaves it.
[[nodiscard]] std::unique_ptr<LogSink> limited_sink(std::unique_ptr<LogSink> sink, std::uint64_t most_bytes,
                                                    FullnessInWords why);

}  // namespace groma
