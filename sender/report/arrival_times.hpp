// Times that receivers tell, by this host's clock. Pure.
#pragma once

#include <optional>
#include <vector>

#include "common/control/messages.hpp"
#include "common/time/instant.hpp"
#include "sender/report/clock_report.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// A receiver's clock during a run: one offset for all of it, since results have no times of single packets.
struct ReceiverClock {
    Nanos offset{0};  ///< in the middle of the run, the receiver's clock less this host's
    Nanos bound{0};   ///< |error| at any time of the run: of the offset, and what skew makes of it until the ends
};

/// Over a run of `elapsed`. Empty: there was no usable probe, or a clock was set meanwhile.
[[nodiscard]] std::optional<ReceiverClock> clock_during(const ReceiverReport& receiver,
                                                        const std::vector<OwnStep>& own_steps, Nanos elapsed);

/// Without a clock, nothing is known, nor of no packets.
[[nodiscard]] std::optional<ArrivalDelays> by_own_clock(std::optional<ArrivalDelays> told,
                                                        const std::optional<ReceiverClock>& clock);
[[nodiscard]] ReceivedFlow by_own_clock(ReceivedFlow told, const std::optional<ReceiverClock>& clock);

}  // namespace groma
