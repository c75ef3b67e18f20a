// The replies of a flow with the round-trip meter, as seen by the sender.
#pragma once

#include <cstdint>

#include "common/stats/histograms/log_histogram.hpp"

namespace groma {

/// Times count only the first copy of each reply.
struct RoundTrip {
    std::uint64_t returned = 0;  ///< replies received, including copies
    std::uint64_t bytes = 0;     ///< of their payload
    std::uint64_t duplicates = 0;
    std::uint64_t reordered = 0;
    /// First copies with an unknown round-trip time: too small for a time or a number, so late that the send time was
    /// forgotten, or with an impossible send time.
    std::uint64_t untimed = 0;
    /// First copies whose reported residence at the receiver is negative or longer than the round trip. Not in
    /// rtt_less_residence_ns.
    std::uint64_t odd_residence = 0;
    std::uint64_t foreign = 0;    ///< packets on the flow's socket that are not its replies
    std::uint64_t malformed = 0;  ///< or replies to packets that were never sent
    std::uint64_t forged = 0;     ///< replies of a sealed flow whose seal is wrong, or lacks
    std::uint64_t kernel_drops = 0;
    std::uint64_t refused = 0;       ///< "port unreachable" and similar reports received on this socket
    std::uint64_t records_lost = 0;  ///< replies missing in the log, if there is one
    std::uint64_t timed_out = 0;     ///< of a closed loop: requests given up, though their replies may have come later

    // Of a flow that makes one connection after the other (FlowSpec::requests_per_connection).
    std::uint64_t connections = 0;
    std::uint64_t connections_failed = 0;  ///< not made, or closed before an awaited response

    LogHistogram connect_ns;             ///< from the beginning of connecting to the connection
    LogHistogram rtt_ns;                 ///< returned_at - sent_at
    LogHistogram rtt_less_residence_ns;  ///< minus (replied_at - reflected_at), for replies with both
};

/// Adds the counts of another flow.
void add(RoundTrip& sum, const RoundTrip& part);

}  // namespace groma
