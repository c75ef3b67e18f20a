// Which queue of this host holds packets until their departure (SO_TXTIME, socket(7); tc-fq(8), tc-etf(8)): found in
// what the kernel says of the device that the packets take.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/model/transport_options.hpp"
#include "common/net/socket_address.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// Queues of a discipline, next to each other.
struct QueueRange {
    std::uint16_t first = 0;
    std::uint16_t count = 0;
    bool operator==(const QueueRange&) const = default;
};

/// A queueing discipline of a device, as far as it matters here.
struct QueueingDiscipline {
    int device = 0;            ///< its number
    std::uint32_t handle = 0;  ///< of this one
    std::uint32_t parent = 0;  ///< the handle, and the number among its queues, of the one it belongs to
    std::string kind;          ///< "fq"
    /// prio, mqprio, taprio: where packets of each priority (SO_PRIORITY) go.
    std::optional<std::array<QueueRange, 16>> by_priority{};
    std::uint32_t most_of_flow = 0;  ///< fq: packets that it holds of a socket; 0: not told
    std::optional<Nanos> delta{};    ///< etf: so long before their time packets are given to the device
    bool deadlines = false;          ///< etf: ... and any time before
    bool offload = false;            ///< etf: ... and the device holds them for the rest
    bool operator==(const QueueingDiscipline&) const = default;
};

/// Those in the kernel's answer to RTM_GETQDISC.
[[nodiscard]] std::vector<QueueingDiscipline> disciplines_in(std::span<const std::byte> answer);

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

/// The queue on the way from here to there of a flow with these options. In the network namespace of the caller.
/// Throws: RunError as above, and SystemError.
[[nodiscard]] DepartureQueue departure_queue_towards(const SocketAddress& from, const SocketAddress& to,
                                                     const TransportOptions& options);

}  // namespace groma
