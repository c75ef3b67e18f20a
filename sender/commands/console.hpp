// What groma-send and the person who started it tell each other while it works: warnings and a line of progress on
// standard error, and requests to stop.
#pragma once

#include <functional>
#include <string>

#include "common/os/signal_set.hpp"
#include "sender/commands/terminal_line.hpp"

namespace groma {

/// Thread: any.
class Console {
public:
    /// `quiet`: nothing is written.
    explicit Console(bool quiet);

    /// "groma-send: sentence", on a line of its own. Text of a peer or a file is shown as plain_text() has it.
    void say(const std::string& sentence);

    /// What shows progress; empty when there is no terminal. Refers to this object.
    [[nodiscard]] std::function<void(const std::string&)> progress() { return line_.shower(); }

    /// Ends the line of progress.
    void clear() { line_.clear(); }

private:
    TerminalLine line_;
};

/// Counts SIGINT and SIGTERM, which end nothing while this object lives. Thread: one.
class StopRequests {
public:
    [[nodiscard]] unsigned count();

private:
    SignalSet signals_ = SignalSet::stop_signals();
    unsigned count_ = 0;
};

}  // namespace groma
