// A flow's way out: one socket, connected to the receiver. UDP sends each frame as a datagram, TCP as a framed piece of
// its stream; which it is, is decided once, in open_channel().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/model/flow_spec.hpp"
#include "common/net/socket_address.hpp"
#include "common/wire/packet_header.hpp"

namespace groma {

/// One packet to send: the serialized header and the rest of the payload. Both are only looked at during send().
struct Frame {
    std::array<std::byte, kPacketHeaderSize> header{};
    std::uint8_t header_bytes = 0;  ///< of `header` that are sent: header_bytes_for() (common/wire/stream_frame.hpp)
    std::span<const std::byte> rest{};  ///< payload behind the header

    /// What goes out, also over TCP: there the frame's length comes first and takes the place of as much of `rest`.
    [[nodiscard]] std::size_t size() const noexcept { return header_bytes + rest.size(); }
};

enum class SendStatus : std::uint8_t {
    sent,         ///< all frames
    would_block,  ///< the socket's buffer is full after `sent` frames: try again when writable
    dropped,      ///< the kernel did not take the frame after `sent` (no memory, no route for now): it is lost
    too_big,      ///< the frame after `sent` can never be sent on this path (EMSGSIZE): it is lost
    /// The peer's host said of an *earlier* packet that nobody listens (ICMP port unreachable, ECONNREFUSED). No frame
    /// of this call is lost by it: send() has tried again, and those after `sent`, usually none, can be sent at once.
    refused,
    closed,  ///< the connection is gone (reset, broken pipe): nothing can be sent any more
    failed,  ///< any other errno
};

struct SendOutcome {
    std::size_t sent = 0;  ///< frames taken by the kernel (a TCP frame of which part is still held counts as sent)
    SendStatus status = SendStatus::sent;
    int errno_value = 0;
};

/// Thread: one at a time.
class Channel {
public:
    Channel() = default;
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;
    virtual ~Channel() = default;

    /// Sends the frames in order, in as few system calls as it can. Never blocks. Packet path.
    [[nodiscard]] virtual SendOutcome send(std::span<const Frame> frames) noexcept = 0;

    /// True while bytes of a frame that counted as sent are still held here (TCP after a short write). While it is
    /// true, send() first tries to send them and returns would_block with sent = 0 if it cannot.
    [[nodiscard]] virtual bool holding() const noexcept { return false; }

    /// Nothing more will be sent: flushes what is held for at most `limit` and closes the sending direction.
    /// Returns: false when bytes that counted as sent could not be handed to the kernel.
    [[nodiscard]] virtual bool finish(Nanos limit) noexcept = 0;

    /// What was asked for and what the kernel made of it where that is less, a sentence each.
    [[nodiscard]] virtual std::vector<std::string> remarks() const { return {}; }

    [[nodiscard]] virtual int fd() const noexcept = 0;
    [[nodiscard]] virtual SocketAddress local_address() const = 0;
    [[nodiscard]] virtual SocketAddress remote_address() const = 0;
};

/// What a flow's sending socket needs to know.
struct ChannelSpec {
    Transport transport = Transport::udp;
    TransportOptions options;
    SocketAddress to;
    Nanos limit = std::chrono::seconds(5);  ///< for a connection to be made
};

/// The only switch over protocols on the sending side. Throws: SystemError with advice.
[[nodiscard]] std::unique_ptr<Channel> open_channel(const ChannelSpec& spec);

}  // namespace groma
