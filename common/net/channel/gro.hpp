// Generic receive offload of UDP (UDP_GRO, udp(7)): the kernel hands over several packets of one source and size as one
// message, with one time of arrival for all of them. When it is used, and how such a message is taken apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "common/time/instant.hpp"

namespace groma {

/// When packets may come coalesced.
enum class GroMode : std::uint8_t {
    automatic,  ///< from when the receiver has fallen behind
    on,
    off
};

/// "auto", "on" or "off". Throws: UsageError.
[[nodiscard]] GroMode parse_gro_mode(std::string_view text);

/// Why packets may come coalesced.
enum class GroReason : std::uint8_t { asked_for, half_full, drops };

/// A clause: "the socket's buffer was more than half full".
[[nodiscard]] std::string_view in_words(GroReason reason) noexcept;

/// Since when and why packets may have come coalesced.
struct GroStart {
    WallTime since{};
    GroReason why = GroReason::asked_for;
    bool operator==(const GroStart&) const = default;
};

/// What the kernel says of a socket's receive buffer (SO_MEMINFO).
struct SocketMemory {
    std::uint32_t used = 0;   ///< bytes, with the kernel's bookkeeping
    std::uint32_t limit = 0;  ///< bytes
    std::uint32_t drops = 0;  ///< packets, since the socket was made; wraps
    bool operator==(const SocketMemory&) const = default;
};

/// Nothing: the kernel does not say. Packet path.
[[nodiscard]] std::optional<SocketMemory> memory_of(int socket) noexcept;

/// Whether the reader of this socket falls behind, from two looks at it: more than half of its buffer is full, or
/// packets were dropped in between. Returns: which; nothing: it does not.
[[nodiscard]] std::optional<GroReason> falls_behind(const SocketMemory& before, const SocketMemory& now) noexcept;

/// Returns: whether the kernel does it from now on. Packet path.
[[nodiscard]] bool switch_gro_on(int socket) noexcept;

}  // namespace groma
