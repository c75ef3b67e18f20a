// Where a log's bytes go: a file, a log server, both, or nowhere. The bytes are the same everywhere
// (docs/reference/log-format.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace groma {

class LogSink {
public:
    LogSink() = default;
    LogSink(const LogSink&) = delete;
    LogSink& operator=(const LogSink&) = delete;
    virtual ~LogSink() = default;

    /// Takes one whole piece of a log: the file header first, then one block a call, numbered 0, 1, 2, ... by the
    /// caller. Thread: the log thread of the run; may block. Throws: SystemError, ProtocolError or RunError when the
    /// bytes cannot be kept; the caller says so in the report and the run's exit status.
    virtual void append(std::span<const std::byte> piece) = 0;

    /// The log is complete: returns when its bytes are where they belong. Throws as append().
    virtual void close() = 0;

    /// The log is not wanted any more: what can be removed of it is. Instead of close().
    virtual void abandon() noexcept {}

    /// What this is, for messages: "send.glog", "log server 10.0.0.3:9001".
    [[nodiscard]] virtual std::string describe() const = 0;
};

}  // namespace groma
