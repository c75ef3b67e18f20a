// Signals as something to read instead of something that interrupts (signalfd). While a SignalSet lives, its signals
// are blocked in the thread that made it and in all threads started after: make it first in main(), before any thread.
#pragma once

#include <csignal>
#include <initializer_list>
#include <optional>

#include "common/os/file_descriptor.hpp"

namespace groma {

class SignalSet {
public:
    /// Throws: SystemError.
    SignalSet(std::initializer_list<int> signals);
    SignalSet(const SignalSet&) = delete;
    SignalSet& operator=(const SignalSet&) = delete;
    /// Puts the thread's signal mask back. A signal of the set that was not taken then does what it does by default.
    ~SignalSet();

    /// The requests to stop: SIGINT and SIGTERM.
    [[nodiscard]] static SignalSet stop_signals() { return SignalSet{SIGINT, SIGTERM}; }

    /// Returns: a signal that has come, or nothing. Never blocks.
    [[nodiscard]] std::optional<int> take() noexcept;

    /// Readable when take() has something. Made for a Poller or an Asio descriptor (which must not close it).
    [[nodiscard]] int fd() const noexcept { return fd_.get(); }

private:
    sigset_t before_{};
    FileDescriptor fd_;
};

}  // namespace groma
