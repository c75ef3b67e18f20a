// The one place where programs catch errors and turn them into messages and exit statuses.
#pragma once

#include <functional>

namespace groma {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

/// Runs `body` and returns its exit status. UsageError and ParseError become status 2, every other exception 1, each
/// with "PROGRAM: message" on standard error, line by line. Control characters in messages are made visible.
/// A write to a closed pipe is an error of that write, not the end of the program (SIGPIPE is ignored).
[[nodiscard]] int run_main(const char* program, const std::function<int()>& body);

}  // namespace groma
