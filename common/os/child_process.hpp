// Runs another program to its end: text in, text out. No shell: arguments are passed as they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace groma {

struct ChildResult {
    int status = 0;      ///< exit status; 128 + N when signal N ended it
    std::string output;  ///< standard output and standard error, at most 64 KiB
};

/// Starts `command` (looked up in PATH) with `input` as its standard input, and waits for it. Throws: SystemError if it
/// cannot be started (ENOENT: no such program).
[[nodiscard]] ChildResult run_child(const std::vector<std::string>& command, std::string_view input);

}  // namespace groma
