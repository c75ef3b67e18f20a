// Looks at logs while they are being written (groma-dec --follow).
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/ids.hpp"
#include "common/time/clock.hpp"

namespace groma {

struct Following {
    std::vector<std::string> logs{};  ///< by their names in the end, or as current_file() has them
    Nanos interval{1'000'000'000};    ///< of the rows that are shown
    std::set<FlowId> flows{};         ///< empty: all
    std::optional<Nanos> patience{};  ///< a log that does not grow for so long is given up; nothing: never
    bool json = false;                ///< rows are JSON lines (docs/reference/decoder-output.md), not text
};

struct Followed {
    bool interrupted = false;             ///< SIGINT or SIGTERM came, or nobody wants more lines
    std::vector<std::string> given_up{};  ///< these logs did not grow for as long as the patience was
};

/// Returns when every log has its end and its name or was given up, or when it is interrupted. A log under its name
/// that is followed without patience ends where the file does: it is not being written. `show` gets lines as
/// soon as they are known, by any thread but one at a time; it returns whether anybody wants more. Throws: SystemError,
/// also when a log cannot be opened at all; UsageError when it is not a regular file. What else is wrong with a log
/// ends looking at it and is not told: whoever reads it then finds that. Thread: the clock is asked by all of its
/// threads.
Followed follow(const Following& what, const std::function<bool(std::string_view)>& show, Clock& clock);

}  // namespace groma
