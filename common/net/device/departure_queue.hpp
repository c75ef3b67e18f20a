// Which queue of this host holds packets until their departure (SO_TXTIME, socket(7); tc-fq(8), tc-etf(8)): found in
// what the kernel says of the device that the packets take.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/net/device/device_queues.hpp"
#include "common/net/device/queueing_discipline.hpp"
#include "common/net/device/way.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// How to tell a queue when a packet is to leave.
struct DepartureQueue {
    enum class Kind : std::uint8_t { fq, etf };

    Kind kind = Kind::fq;  ///< fq goes by CLOCK_MONOTONIC, etf by CLOCK_TAI
    std::string name;      ///< "fq on eth0"
    /// fq: packets that it holds of a flow; 0: not told.
    std::uint32_t most_of_flow = 0;
    /// etf: so long before the time that it was told the packet leaves the queue. It takes none whose time is over.
    Nanos delta{0};
    bool offload = false;  ///< the device holds packets for the rest
    bool operator==(const DepartureQueue&) const = default;
};

/// The queue of this device, whose disciplines are among `all`, for packets of this priority. Throws: RunError when it
/// is none that holds packets, with the command that sets one.
[[nodiscard]] DepartureQueue departure_queue(const std::string& device, int number,
                                             const std::vector<QueueingDiscipline>& all, std::uint32_t priority);

/// The queue on this way for packets of this priority. In the network namespace of the caller.
/// Throws: RunError as above, and SystemError.
[[nodiscard]] DepartureQueue departure_queue_towards(const Way& way, std::uint32_t priority, DeviceQueues& queues);

}  // namespace groma
