#include "decoder/clock_state.hpp"

#include "common/cli/human.hpp"

namespace groma {

std::string to_string(ClockState::Kind kind) {
    switch (kind) {
        case ClockState::Kind::one_clock:
            return "one clock";
        case ClockState::Kind::probed:
            return "probed";
        case ClockState::Kind::relative:
            return "relative";
        case ClockState::Kind::several:
            return "several";
        case ClockState::Kind::unknown:
            break;
    }
    return "unknown";
}

std::string describe(const ClockState& clock) {
    switch (clock.kind) {
        case ClockState::Kind::one_clock:
            return "one clock, offset 0";
        case ClockState::Kind::probed:
            return "offset " + human_time(clock.offset) + ", error at most " + human_time(clock.bound) + " (" +
                   std::to_string(clock.probes) + (clock.probes == 1 ? " probe)" : " probes)");
        case ClockState::Kind::relative:
            return "no clock probes: delays are relative to the minimum of each flow";
        case ClockState::Kind::several:
            return "not the same for all flows";
        case ClockState::Kind::unknown:
            break;
    }
    return "unknown";
}

}  // namespace groma
