// The queueing disciplines of this host's devices (tc(8)), as the kernel tells them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
    int device = 0;             ///< its number
    std::uint32_t handle = 0;   ///< of this one
    std::uint32_t parent = 0;   ///< the handle, and the number among its queues, of the one it belongs to
    std::string kind;           ///< "fq"
    std::uint64_t dropped = 0;  ///< packets, since it was set up
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

/// Those of a device of the caller's network namespace, by its number; those inside others too. Throws: SystemError.
[[nodiscard]] std::vector<QueueingDiscipline> disciplines_of(int device);

}  // namespace groma
