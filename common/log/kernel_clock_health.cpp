#include "common/log/kernel_clock_health.hpp"

#include <sys/timex.h>

#include "common/model/text/human.hpp"

namespace groma {

namespace {

/// The kernel's frequency is in parts per million with 16 fractional bits.
constexpr double kFrequencyUnits = 65536;

}  // namespace

std::optional<ClockHealth> clock_health() noexcept {
    timex state{};
    const int answer = ::adjtimex(&state);
    if (answer < 0) {
        return std::nullopt;
    }
    return ClockHealth{.synchronised = answer != TIME_ERROR and (state.status & STA_UNSYNC) == 0,
                       .estimated_error = std::chrono::microseconds(state.esterror),
                       .maximum_error = std::chrono::microseconds(state.maxerror),
                       .frequency_ppm = static_cast<double>(state.freq) / kFrequencyUnits};
}

std::string describe(const ClockHealth& clock) {
    // For a clock that is not disciplined the kernel reports placeholder errors of 16 s.
    return clock.synchronised ? "synchronised, by its own account at most " + human_time(clock.maximum_error) + " off"
                              : "not synchronised";
}

std::string describe_step(Nanos size) {
    return std::string("this host's clock was set ") + (size < Nanos{0} ? "back" : "forward") + " by " +
           human_time(size < Nanos{0} ? -size : size) + " during the run: one-way delays across it are doubtful";
}

LogEvent clock_stepped(Nanos size, WallTime at) {
    return {.at = at, .flow = std::nullopt, .kind = "clock-stepped", .text = describe_step(size)};
}

}  // namespace groma
