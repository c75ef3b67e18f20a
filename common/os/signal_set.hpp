// Reads signals from a descriptor instead of being interrupted (signalfd). While a SignalSet lives, its signals are
// blocked in its thread and in all threads started later: construct it first in main(), before any thread.
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
    /// Restores the thread's signal mask. A signal of the set that was not taken then has its default effect.
    ~SignalSet();

    /// SIGINT and SIGTERM, which request to stop.
    [[nodiscard]] static SignalSet stop_signals() { return SignalSet{SIGINT, SIGTERM}; }

    /// Returns: a signal that has arrived; empty if none. Never blocks.
    [[nodiscard]] std::optional<int> take() noexcept;

    /// Readable when a signal is waiting. For a Poller or an Asio descriptor (which must not close it).
    [[nodiscard]] int fd() const noexcept { return fd_.get(); }

private:
    sigset_t before_{};
    FileDescriptor fd_;
};

}  // namespace groma
