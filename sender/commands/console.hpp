// The terminal of a running groma-send: warnings and a line of progress on standard error, and requests to stop.
#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "common/os/signal_set.hpp"
#include "sender/commands/terminal_line.hpp"

namespace groma {

/// Thread: any.
class Console {
public:
    /// `quiet`: writes nothing.
    explicit Console(bool quiet);

    /// Writes "groma-send: sentence" on its own line. Escapes untrusted text with plain_text().
    void say(const std::string& sentence);

    /// The function that shows progress; empty without a terminal. Refers to this object.
    [[nodiscard]] std::function<void(const std::string&)> progress() { return line_.shower(); }

    /// Ends the line of progress.
    void clear() { line_.clear(); }

private:
    TerminalLine line_;
};

/// Counts SIGINT and SIGTERM, which do not end the program while this object lives. Thread: any.
class StopRequests {
public:
    [[nodiscard]] unsigned count();

private:
    SignalSet signals_ = SignalSet::stop_signals();
    std::mutex mutex_;
    unsigned count_ = 0;
};

}  // namespace groma
