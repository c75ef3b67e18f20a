#include "sender/report/arrival_times.hpp"

#include <cmath>

#include "common/time/difference.hpp"

namespace groma {

std::optional<ReceiverClock> clock_during(const ReceiverReport& receiver, const std::vector<OwnStep>& own_steps,
                                          Nanos elapsed) {
    if (not own_steps.empty()) {
        return std::nullopt;
    }
    if (receiver.same_clock) {
        return ReceiverClock{};
    }
    if (not receiver.offset or not receiver.offset->steps.empty()) {
        return std::nullopt;
    }
    constexpr double kPpm = 1e-6;
    const double drift = receiver.offset->skew_ppm * kPpm * static_cast<double>(elapsed.count()) / 2;
    if (not(std::abs(drift) < static_cast<double>(kLongestSpan.count()))) {
        return std::nullopt;
    }
    const Nanos until_middle{std::llround(drift)};
    return ReceiverClock{.offset = held_to_longest(receiver.offset->offset + until_middle),
                         .bound = held_to_longest(receiver.offset->bound + std::chrono::abs(until_middle))};
}

std::optional<ArrivalDelays> by_own_clock(std::optional<ArrivalDelays> told,
                                          const std::optional<ReceiverClock>& clock) {
    if (not told or told->packets == 0 or not clock) {
        return std::nullopt;
    }
    told->min = held_to_longest(told->min - clock->offset);
    return told;
}

ReceivedFlow by_own_clock(ReceivedFlow told, const std::optional<ReceiverClock>& clock) {
    const bool known = clock and told.first_arrival != WallTime{};
    told.first_arrival = known ? moved(told.first_arrival, -clock->offset) : WallTime{};
    told.last_arrival = known ? moved(told.last_arrival, -clock->offset) : WallTime{};
    told.delays = by_own_clock(told.delays, clock);
    return told;
}

}  // namespace groma
