// A flow's way out: one socket, connected to the receiver. UDP sends each frame as a datagram, TCP as a framed piece of
// its stream; which it is, is decided once, in open_channel().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/model/flow/draws.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/net/socket/connection_state.hpp"
#include "common/net/socket/path_mtu.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/time/clock.hpp"
#include "common/wire/packet_format.hpp"
#include "common/wire/records.hpp"

namespace groma {

/// One packet to send: the serialized header and the rest of the payload. Both are only looked at during send().
struct Frame {
    std::array<std::byte, kSealedPacket> header{};
    std::uint8_t header_bytes = 0;      ///< of `header` that are sent: PacketFormat::start_size()
    std::span<const std::byte> rest{};  ///< payload behind the header
    MonoTime departs{};  ///< when the kernel is to let it go, on channels whose departures are the kernel's

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

class DeviceQueues;
class Inbox;

/// Of a channel that hands its packets over ahead of time, to a queue of this host that lets each go when it is due.
struct HeldDepartures {
    std::string queue;         ///< "fq on eth0"
    std::uint64_t missed = 0;  ///< packets that the queue threw away because their times were over
};

/// Which packets come back on a channel.
struct ReplySpec {
    FlowId flow;
    HeaderLevel header = HeaderLevel::full;
    std::optional<MacKey> seal{};  ///< of a sealed flow
};

/// The connections of a flow that makes one after the other.
struct ConnectionCounts {
    std::uint64_t made = 0;
    std::uint64_t failed = 0;  ///< not made, or closed before a response that was awaited: the request is lost
    bool connecting = false;   ///< one is being made
    Nanos last_took{0};        ///< from the beginning to the first byte that the last one took
};

/// When a packet left the host.
struct TransmitStamp {
    std::uint32_t seq = 0;  ///< as in the packet's header
    WallTime at{};
};

/// Thread: one at a time, but for what open_replies() gives and for take_transmit_stamps(), which another may use
/// beside send(), until finish().
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

    /// Whether packets that send() took are still in a queue of this host, as far as the kernel tells.
    [[nodiscard]] virtual bool in_queue() const noexcept { return false; }

    /// A packet is due soon: goes the way of send(), as far as that is possible without sending anything, so that the
    /// caches have it. Packet path.
    virtual void warm_up() noexcept {}

    /// Of a flow that goes as fast as possible: the kernel is to hold about so many bytes that have not left, and no
    /// more (TCP), so that the flow ends on time. Before the first send().
    virtual void limit_unsent(std::size_t /*bytes*/) noexcept {}

    /// Nothing more will be sent: flushes what is held for at most `limit` and closes the sending direction.
    /// Returns: false when bytes that counted as sent could not be handed to the kernel.
    [[nodiscard]] virtual bool finish(Nanos limit) noexcept = 0;

    /// What was asked for and what the kernel made of it where that is less, a sentence each.
    [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }

    /// What the path takes in one piece now; nothing: not known, or the transport cuts its packets itself.
    [[nodiscard]] virtual std::optional<PathMtu> path() const noexcept { return std::nullopt; }

    /// The replies of the receiver (round-trip meter), which come in on this channel's own socket; channel and clock
    /// outlive what is returned. Null: this transport has none. Throws: SystemError.
    [[nodiscard]] virtual std::unique_ptr<Inbox> open_replies(const ReplySpec& spec, Clock& clock);

    /// What the kernel says of packets that have left (TransportOptions::sent_stamps): fills `out`, returns how many;
    /// 0: no more for now. Never blocks.
    [[nodiscard]] virtual std::size_t take_transmit_stamps(std::span<TransmitStamp> /*out*/) noexcept { return 0; }

    /// Nothing: the departures are the program's. Thread: that of send(), and any after finish().
    [[nodiscard]] virtual std::optional<HeldDepartures> held_departures() const { return std::nullopt; }

    /// The connection's state now; nothing when there is none. `at` is not filled in. Any thread.
    [[nodiscard]] virtual std::optional<ConnectionSample> sample() const noexcept { return std::nullopt; }

    /// What has limited the connection so far; nothing where the transport does not tell. Any thread.
    [[nodiscard]] virtual std::optional<SendLimits> limits() const noexcept { return std::nullopt; }

    /// So far. A call of send(), or a drain() of the replies, makes one of them at most.
    [[nodiscard]] virtual ConnectionCounts connections() const noexcept { return {}; }

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
    double packets_per_s = 0;               ///< that are expected; 0: not known
    /// FlowSpec::requests_per_connection, and the seed of its draws.
    std::optional<Distribution> requests_per_connection{};
    ProcessSeed connection_seed{};
    /// The socket on which the receiver has shown itself (common/net/nat/flow_listener.hpp): it is taken over as it is,
    /// bound, and connected when the transport connects. Null: one is opened. Outlives open_channel().
    FileDescriptor* met = nullptr;
    DeviceQueues* queues = nullptr;  ///< of the run. Null: asked for by the channel itself. Outlives open_channel()
};

}  // namespace groma
