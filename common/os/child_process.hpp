// Runs another program: text in, text out. No shell: arguments are passed as they are.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/os/file_descriptor.hpp"

namespace groma {

struct ChildResult {
    int status = 0;      ///< exit status; 128 + N when signal N ended it
    std::string output;  ///< standard output and standard error, at most 64 KiB
};

/// Starts `command` (looked up in PATH) with `input` as its standard input, and waits for it. Throws: SystemError if it
/// cannot be started (ENOENT: no such program).
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& command, std::string_view input);

/// A program that goes on beside this one, in a process group of its own: Ctrl-C at the terminal does not reach it. Its
/// standard input ends when this program does, whatever ends it.
class RunningChild {
public:
    static constexpr std::chrono::milliseconds kFarewell{2000};

    /// Throws: as run_child().
    explicit RunningChild(const std::vector<std::string>& command, std::chrono::milliseconds farewell = kFarewell);
    RunningChild(const RunningChild&) = delete;
    RunningChild& operator=(const RunningChild&) = delete;
    /// Ends its standard input, and waits for it: after `farewell` it is told with SIGTERM, and after as long again
    /// with SIGKILL.
    ~RunningChild();

    /// For short texts. What it does not read is lost.
    void write(std::string_view text);
    /// Returns: what it has said next, after at most `patience`, or nothing of it; nothing at all: it says no more.
    [[nodiscard]] std::optional<std::string> read(std::chrono::milliseconds patience);

private:
    [[nodiscard]] bool ends_within(std::chrono::milliseconds patience);

    std::chrono::milliseconds farewell_;
    FileDescriptor stream_;
    pid_t pid_ = 0;
};

}  // namespace groma
