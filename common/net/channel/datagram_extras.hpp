// What the kernel says beside a datagram: when it arrived, its header's TTL and DS byte, and what was dropped before
// it.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <optional>
#include <string>

#include "common/net/channel/inbox.hpp"
#include "common/net/socket/kernel_stamps.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

struct DatagramExtras {
    std::optional<WallTime> software{};  ///< the kernel's time
    std::optional<WallTime> hardware{};
    std::optional<std::uint32_t> drops{};  ///< SO_RXQ_OVFL: the socket's counter
    std::uint32_t packet_size = 0;         ///< of the packets that the kernel has coalesced (gro.hpp); 0: it is one
    std::uint8_t ttl = 0;                  ///< 0: not told
    std::uint8_t ds_byte = 0;

    /// The best time of those that were asked for.
    [[nodiscard]] std::optional<WallTime> time() const noexcept { return hardware ? hardware : software; }
};

/// Room for all of them among control messages.
inline constexpr std::size_t kExtrasControlSize =
    CMSG_SPACE(sizeof(timespec)) + kStampControlSize + CMSG_SPACE(sizeof(std::uint32_t)) + 3 * CMSG_SPACE(sizeof(int));

/// Has the kernel say what the flow's options ask for. Throws: SystemError.
[[nodiscard]] StampSettings ask_for_extras(const FileDescriptor& socket, const InboxSpec& spec);

/// Packet path.
[[nodiscard]] DatagramExtras extras_of(msghdr& message) noexcept;

}  // namespace groma
