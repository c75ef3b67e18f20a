// A flow's way in: the receiving socket of one flow, bound by the receiver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/net/channel/gro.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/time/clock.hpp"
#include "common/wire/packet_format.hpp"
#include "common/wire/records.hpp"

namespace groma {

/// A packet of the flow as it came in.
struct Arrival {
    WallTime received_at{};  ///< UDP: the kernel's stamp if it gave one, else taken once a batch; TCP: when it was read
    PacketPrefix header;
    std::uint32_t size = 0;    ///< payload bytes
    std::uint8_t ttl = 0;      ///< as it arrived; 0: not asked for, or not known
    std::uint8_t ds_byte = 0;  ///< as it arrived, when `ttl` is not 0
    std::uint16_t stream = 0;  ///< SCTP: of the association, which tells the flows apart that share one
    /// Of a reply: when the receiver got the packet and when it sent it back, on its clock; kNoTime: no room for it.
    WallTime reflected_at = ReceivedRecord::kNoTime;
    WallTime replied_at = ReceivedRecord::kNoTime;
};

/// What became of packets that were to be sent back.
struct ReflectOutcome {
    std::size_t sent = 0;
    std::size_t lost = 0;  ///< the kernel did not take them
};

/// What came in and was no packet of this flow, or was not seen at all.
struct InboxCounts {
    std::uint64_t foreign = 0;       ///< from another host than the session's
    std::uint64_t malformed = 0;     ///< magic, version or flow are not this flow's; a stream that is no frames
    std::uint64_t forged = 0;        ///< of a sealed flow: its seal is wrong, or lacks
    std::uint64_t kernel_drops = 0;  ///< SO_RXQ_OVFL: lost because the socket's buffer was full
    std::uint64_t unstamped = 0;     ///< UDP packets of the flow without the kernel's time
    std::uint64_t refused = 0;       ///< replies: reports that an earlier packet of the flow found nobody
    std::uint64_t coalesced = 0;     ///< UDP packets of the flow that share their time of arrival (GRO)
};

enum class InboxState : std::uint8_t {
    open,
    ended,   ///< TCP: the peer finished its stream in order
    broken,  ///< TCP: reset, ended within a frame, or a stream that is no frames
};

/// What is none of the flow's fills no place of a drain(): a peer that sends nothing else would keep it for ever.
inline constexpr std::uint64_t kMostInVainAtOnce = 1024;

/// Of frames and messages.
[[nodiscard]] inline std::uint64_t in_vain(const InboxCounts& counts) noexcept {
    return counts.malformed + counts.forged;
}

/// Thread: one at a time.
class Inbox {
public:
    Inbox() = default;
    Inbox(const Inbox&) = delete;
    Inbox& operator=(const Inbox&) = delete;
    virtual ~Inbox() = default;

    /// Fills `out` with what has arrived and returns how many; 0 means that nothing is there now (or, see state(), ever
    /// again), or too much that is not the flow's: fd() stays readable. Never blocks. Packet path.
    [[nodiscard]] virtual std::size_t drain(std::span<Arrival> out) noexcept = 0;

    /// Once it is not open, nothing more will come: stop waiting on fd(), which stays readable.
    [[nodiscard]] virtual InboxState state() const noexcept = 0;
    [[nodiscard]] virtual const InboxCounts& counts() const noexcept = 0;

    /// What `received_at` is, in the words of the log's metadata: "kernel software" (UDP) or "user" (TCP: the kernel's
    /// stamp of a segment that waited for a lost one tells when it came, not when its bytes could be read).
    [[nodiscard]] virtual std::string_view timestamps() const noexcept = 0;

    /// Since when packets may share a time of arrival, because the kernel coalesces them; nothing: they do not.
    [[nodiscard]] virtual std::optional<GroStart> gro() const noexcept { return std::nullopt; }

    /// What was asked for and what the kernel made of it where that is less, a sentence each.
    [[nodiscard]] virtual std::vector<std::string> warnings() const { return {}; }

    /// Replies to what the last drain() gave, in as few calls as it can: packets of the sizes in `arrivals` with the
    /// same header, marked as replies, and both stamps of this host where there is room
    /// (docs/reference/wire-format.md). Never blocks, never sends to anyone but the expected peer. Requires:
    /// InboxSpec::meter is round_trip; `arrivals` are all those of the last drain(), in order, or none: then what is
    /// held is tried again; a size is the packet's, unless the packet had the full header. Packet path.
    [[nodiscard]] virtual ReflectOutcome reflect(std::span<const Arrival> arrivals) noexcept {
        return {.sent = 0, .lost = arrivals.size()};
    }

    /// True while replies wait for fd() to be writable (byte streams): they count as sent when they have gone.
    [[nodiscard]] virtual bool holding() const noexcept { return false; }

    /// True while a connection has come that the kernel has no descriptor or memory for: fd() shows it all the time.
    [[nodiscard]] virtual bool cannot_accept() const noexcept { return false; }

    /// The connection's state now; nothing when there is none. `at` is not filled in.
    [[nodiscard]] virtual std::optional<ConnectionSample> sample() const noexcept { return std::nullopt; }

    /// What to wait on for reading. TCP: the listening socket first, then the connection; a change shows as a new
    /// number after a drain().
    [[nodiscard]] virtual int fd() const noexcept = 0;
    [[nodiscard]] virtual SocketAddress local_address() const = 0;
    /// Of the first packet or the connection; invalid before.
    [[nodiscard]] virtual SocketAddress remote_address() const = 0;
};

/// What a flow's receiving socket needs to know.
struct InboxSpec {
    FlowId flow;
    Transport transport = Transport::udp;
    TransportOptions options;
    HeaderLevel header = HeaderLevel::full;
    Meter meter = Meter::one_way;
    SocketAddress bind_to;        ///< port 0: the kernel chooses
    SocketAddress expected_peer;  ///< only packets from this host count (its port does not matter); must be valid
    /// Where the flow's sender awaits it, instead of sending first: connections are made from here. Datagrams are
    /// received as always; somebody punches for them (common/net/nat/puncher.hpp).
    std::optional<SocketAddress> dial{};
    GroMode gro = GroMode::off;
    bool connect_each = false;     ///< the sender makes one connection after the other
    std::optional<MacKey> seal{};  ///< of a sealed flow

    [[nodiscard]] PacketFormat format() const noexcept { return {header, seal}; }
};

}  // namespace groma
