// Times of packets from below the program: the kernel's, or the network interface's own (SO_TIMESTAMPING, timestamping
// of the Linux kernel). A hardware time is that of the interface's clock, which ptp4l and phc2sys keep with the host's.
#pragma once

#include <sys/socket.h>

#include <optional>
#include <string>
#include <string_view>

#include "common/model/transport/transport_options.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/time/instant.hpp"

namespace groma {

enum class StampDirection : std::uint8_t { arriving, leaving };

/// What was asked for and what there is.
struct StampSettings {
    StampSource source = StampSource::kernel;  ///< user: none from below
    std::string warning{};                     ///< why it is not what was asked for; empty: it is
};

/// How the warning begins.
inline constexpr std::string_view kNoHardware = "no hardware stamps";

/// In the words of the log's metadata: "user", "kernel software", "hardware".
[[nodiscard]] std::string_view stamps_in_words(StampSource source) noexcept;

/// Switches the stamps of a socket on. `local`: an address of the interface that the packets pass, which is asked for
/// hardware stamps; where it has none, the kernel's are taken. Requires: asked is not user. Throws: SystemError.
[[nodiscard]] StampSettings switch_on_stamps(const FileDescriptor& socket, StampDirection direction, StampSource asked,
                                             const SocketAddress& local);

/// Both times of one control message; the kernel gives at most one.
struct StampPair {
    std::optional<WallTime> software{};
    std::optional<WallTime> hardware{};
};

/// Of a control message with SCM_TIMESTAMPING; nothing for any other. Packet path.
[[nodiscard]] std::optional<StampPair> stamps_of(const cmsghdr& part) noexcept;

/// Room that it takes among control messages.
inline constexpr std::size_t kStampControlSize = CMSG_SPACE(3 * sizeof(timespec));

}  // namespace groma
