// What came back of a flow with the round-trip meter, as its sender saw it.
#pragma once

#include <cstdint>

#include "common/stats/histograms/log_histogram.hpp"

namespace groma {

/// Times are of the first copy of each reply.
struct RoundTrip {
    std::uint64_t returned = 0;  ///< replies that came, every copy
    std::uint64_t bytes = 0;     ///< of their payload
    std::uint64_t duplicates = 0;
    std::uint64_t reordered = 0;
    /// First copies whose round-trip time is not known: too small for a time or a number, so late that their own was
    /// forgotten, or with a time at which no packet of the flow left.
    std::uint64_t untimed = 0;
    /// First copies whose receiver says that it had the packet longer than the round trip took, or for less than no
    /// time: they are not in rtt_less_residence_ns.
    std::uint64_t odd_residence = 0;
    std::uint64_t foreign = 0;    ///< what came in on the flow's socket and was none of its replies
    std::uint64_t malformed = 0;  ///< or replies to packets that were never sent
    std::uint64_t kernel_drops = 0;
    std::uint64_t refused = 0;       ///< reports that a packet of the flow found nobody, which came in here
    std::uint64_t records_lost = 0;  ///< replies that are not in the log though there is one

    LogHistogram rtt_ns;                 ///< returned_at - sent_at
    LogHistogram rtt_less_residence_ns;  ///< less replied_at - reflected_at, of replies that have both
};

/// Of several flows together.
void add(RoundTrip& sum, const RoundTrip& part);

}  // namespace groma
