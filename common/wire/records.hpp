// What is known of one packet: fixed-size values that the packet path hands to the log. Nothing here owns memory.
#pragma once

#include <cstdint>
#include <limits>

#include "common/base/ids.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// A packet that left, written by the sender.
struct SentRecord {
    std::uint64_t seq = 0;
    WallTime sent_at{};       ///< the stamp in the packet, taken just before the send call
    Nanos lateness{0};        ///< sent_at minus the scheduled departure, on the monotonic clock
    std::uint32_t size = 0;   ///< payload bytes
    std::uint32_t batch = 1;  ///< packets in the send call that this one went with (1 = alone)

    bool operator==(const SentRecord&) const = default;
};

/// A packet that arrived, written by the receiver.
struct ReceivedRecord {
    /// `sent_at` of a packet that was too small to carry it.
    static constexpr WallTime kNoTime = wall_time_from_ns(std::numeric_limits<std::int64_t>::min());
    /// `seq` of a packet that was too small to carry it (or whose flow carries none): records then count arrivals.
    static constexpr std::uint64_t kNoSeq = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t seq = kNoSeq;
    WallTime sent_at = kNoTime;
    WallTime received_at{};  ///< the kernel's stamp where it gives one (the log's metadata says which)
    std::uint32_t size = 0;  ///< payload bytes

    bool operator==(const ReceivedRecord&) const = default;
};

}  // namespace groma
