// The OFF time between the departures of a flow with ON and OFF periods, drawn once more from its seed: less it, the
// gaps are of one distribution.
#pragma once

#include <cstdint>
#include <optional>

#include "common/model/flow/schedule.hpp"
#include "common/time/instant.hpp"

namespace groma {

class OffTimes {
public:
    /// With more periods than so many a packet nothing is known: a log could ask for any number of draws.
    static constexpr std::uint64_t kMostPeriodsPerPacket = 100;
    static constexpr std::uint64_t kMostPeriodsInAdvance = 1000;

    /// Of a valid flow whose packets have the numbers of its departures: not where departures are skipped.
    [[nodiscard]] static bool are_known(const FlowSpec& flow);

    /// Requires: are_known(flow).
    explicit OffTimes(const FlowSpec& flow) : schedule_(flow) {}

    /// Between departure `seq` - 1 and departure `seq`. Calls in rising order of `seq`. Empty: there are no such
    /// departures, or too many periods.
    [[nodiscard]] std::optional<Nanos> before(std::uint64_t seq);

private:
    Schedule schedule_;
    std::uint64_t drawn_ = 0;  ///< departures
    Nanos at_last_{0};         ///< OFF time before the last of them
    bool over_ = false;
};

}  // namespace groma
