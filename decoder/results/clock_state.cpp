#include "decoder/results/clock_state.hpp"

#include <fmt/format.h>

#include "common/base/counted.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

std::string describe_probed(const ClockState& clock) {
    std::string text = fmt::format("offset {}, error at most {}", human_time(clock.offset), human_time(clock.bound));
    if (not clock.fit.pieces.empty()) {
        const ClockPiece& first = clock.fit.pieces.front();
        text += fmt::format(", skew {:.1f} +- {:.1f} ppm", first.skew * 1e6, first.skew_error * 1e6);
    }
    for (const ClockStep& step : clock.fit.steps) {
        text += fmt::format(", step of {} +- {}", human_time(step.size), human_time(step.error));
    }
    return text + " (" + counted(clock.probes, "probe") + ')';
}

}  // namespace

std::string to_string(ClockState::Kind kind) {
    switch (kind) {
        case ClockState::Kind::one_clock:
            return "one clock";
        case ClockState::Kind::probed:
            return "probed";
        case ClockState::Kind::relative:
            return "relative";
        case ClockState::Kind::interface:
            return "interface";
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
            return describe_probed(clock);
        case ClockState::Kind::relative:
            return (clock.without_sender_log ? "without the sender's log, which has the clock probes"
                    : clock.unusable.empty() ? "no clock probes"
                                             : clock.unusable) +
                   ": delays are relative to the minimum of each flow";
        case ClockState::Kind::interface:
            return "arrivals have the interface's clock: delays are relative to the minimum of each flow";
        case ClockState::Kind::several:
            return "not the same for all flows";
        case ClockState::Kind::unknown:
            break;
    }
    return "unknown";
}

}  // namespace groma
