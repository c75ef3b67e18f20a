// The one place where programs catch errors and turn them into messages and exit statuses.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace groma {

inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;
inline constexpr int kExitUsage = 2;

/// Runs `body` and returns its exit status. UsageError and ParseError give status 2, other exceptions 1, with "PROGRAM:
/// message" on standard error, line by line. Makes control characters in messages visible. With "--json" among the
/// arguments (the result goes to standard output) also prints {"error": "message"} there. Ignores SIGPIPE: writing to a
/// closed pipe is an error of that write, not the end of the program. Without memory the status is 1 even where an
/// exception cannot be caught.
using Arguments = std::vector<std::string>;
[[nodiscard]] int run_main(const char* program, const Arguments& arguments,
                           const std::function<int(const Arguments&)>& body);
/// With the arguments after the program's name.
[[nodiscard]] int run_main(const char* program, int argc, char** argv,
                           const std::function<int(const Arguments&)>& body);

}  // namespace groma
