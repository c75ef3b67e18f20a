// Errors that a user or an operator can cause: one type for each place that handles them. Program bugs are not among
// them: check() aborts where it finds one.
#pragma once

#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace groma {

/// A wrong command line. Caught by run_main (exit status 2). The text says what was given, what is wrong and what is
/// right; several errors take one line each.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// One error in a text that a user wrote: line and column count from 1; 0: no single place.
struct TextError {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string what;

    bool operator==(const TextError&) const = default;
};

/// A file that cannot be parsed, with all its errors. Caught by run_main (exit status 2).
class ParseError : public std::runtime_error {
public:
    ParseError(std::string file, std::vector<TextError> errors);

    [[nodiscard]] const std::vector<TextError>& errors() const { return errors_; }

private:
    std::vector<TextError> errors_;
};

/// A failed system call. `what()` is "cannot ATTEMPT: REASON", then the caller's advice, if any.
class SystemError : public std::runtime_error {
public:
    /// `attempt` completes "cannot ...", such as "bind 10.0.0.1:8999"; `errno_value` as the kernel gave it.
    SystemError(std::string_view attempt, int errno_value, std::string_view advice = {});

    [[nodiscard]] int errno_value() const { return errno_value_; }

private:
    int errno_value_;
};

/// The other side of a connection broke the protocol, refused, or went away. Caught at the session's boundary.
class ProtocolError : public std::runtime_error {
public:
    /// `peer` names the peer for the user; `what` says what was wrong.
    ProtocolError(std::string_view peer, std::string_view what);
};

/// Any other error that ends a run and that the user can act on (exit status 1).
class RunError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Aborts with the location and `why` if `condition` is false. For program bugs only, never for input.
void check(bool condition, std::string_view why, std::source_location where = std::source_location::current());

}  // namespace groma
