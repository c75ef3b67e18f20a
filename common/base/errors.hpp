// The errors that a user or an operator can cause, one type for each place that handles them. A bug of ours is not
// among them: check() stops the program where it was found.
#pragma once

#include <cstdint>
#include <source_location>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace groma {

/// A command line that cannot be followed. Caught by run_main (exit status 2). The text says what was given, what is
/// wrong with it and what would be right; several errors stand on a line each.
class UsageError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// One error in a text that a user wrote: line and column count from 1; 0 means "the whole text".
struct TextError {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string what;

    bool operator==(const TextError&) const = default;
};

/// A file that cannot be understood, with all its errors together. Caught by run_main (exit status 2).
class ParseError : public std::runtime_error {
public:
    ParseError(std::string file, std::vector<TextError> errors);

    [[nodiscard]] const std::vector<TextError>& errors() const { return errors_; }

private:
    std::vector<TextError> errors_;
};

/// The kernel said no. `what()` is "cannot ATTEMPT: REASON", with the advice of the caller behind it, if any.
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
    /// `peer` is whom it happened with, as a person knows it; `what` says what was wrong.
    ProtocolError(std::string_view peer, std::string_view what);
};

/// Anything else that ends a run and that the user can act on (exit status 1).
class RunError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Aborts with the location and `why` when `condition` is false: for bugs of ours only, never for input.
void check(bool condition, std::string_view why, std::source_location where = std::source_location::current());

}  // namespace groma
