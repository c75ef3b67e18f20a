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

    /// Takes one complete piece of a log: the file header first, then one block per call, numbered 0, 1, 2, ... by the
    /// caller. Thread: the log thread of the run; may block. Throws: SystemError, ProtocolError or RunError if the
    /// bytes cannot be stored; the caller reports it, also in the run's exit status.
    virtual void append(std::span<const std::byte> piece) = 0;

    /// The log is complete: returns when all its bytes are stored. Throws as append().
    virtual void close() = 0;

    /// Instead of close(), if the log is not wanted: removes what can be removed of it.
    virtual void abandon() noexcept {}

    /// A description for messages: "send.glog", "log server 10.0.0.3:9001".
    [[nodiscard]] virtual std::string describe() const = 0;
};

}  // namespace groma
