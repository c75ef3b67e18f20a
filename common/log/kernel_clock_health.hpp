// What this host's kernel reports about its own clock, and its wording for users.
#pragma once

#include <optional>
#include <string>

#include "common/log/run_metadata.hpp"

namespace groma {

/// adjtimex(2); empty if it fails.
[[nodiscard]] std::optional<ClockHealth> clock_health() noexcept;

/// "synchronised, by its own account at most 12 ms off", "not synchronised"
[[nodiscard]] std::string describe(const ClockHealth& clock);

/// This host's clock was set by `size` (common/time/step_watch.hpp): "this host's clock was set back by 50 ms ..."
[[nodiscard]] std::string describe_step(Nanos size);
/// The log's event. `at`: when the step was noticed, on the clock as it was then.
[[nodiscard]] LogEvent clock_stepped(Nanos size, WallTime at);

}  // namespace groma
