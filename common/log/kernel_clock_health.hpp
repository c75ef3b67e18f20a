// What this host's kernel says of its own clock, and how it is said to people.
#pragma once

#include <optional>
#include <string>

#include "common/log/run_metadata.hpp"

namespace groma {

/// adjtimex(2); nothing when the kernel does not tell.
[[nodiscard]] std::optional<ClockHealth> clock_health() noexcept;

/// "synchronised, by its own account at most 12 ms off", "not synchronised"
[[nodiscard]] std::string describe(const ClockHealth& clock);

/// This host's clock was set by so much (common/time/step_watch.hpp): "this host's clock was set back by 50 ms ..."
[[nodiscard]] std::string describe_step(Nanos size);
/// What the log says of it. `at`: when it was noticed, on the clock as it was then.
[[nodiscard]] LogEvent clock_stepped(Nanos size, WallTime at);

}  // namespace groma
