// Drains the datagrams of one flow, or of several that share it, from a socket with recvmmsg(2), each with the time of
// its arrival, the kernel's unless the flow asks for another, and with its TTL and DS byte if it asks for them. Only
// the first bytes of a packet are copied out of the kernel, with its full length (MSG_TRUNC), unless the kernel
// coalesces packets (gro.hpp): then all of them are read, in messages of several.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/net/channel/datagram_extras.hpp"
#include "common/net/channel/gro_switch.hpp"
#include "common/net/channel/inbox.hpp"
#include "common/net/channel/receive_batch.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/time/clock.hpp"
#include "common/wire/packet_format.hpp"

namespace groma {

/// What a socket gives for each packet.
struct DatagramFormat {
    /// In front of what a raw IPv4 socket gives lie the IP header, of varying length, and ICMP's.
    static constexpr std::size_t kIpHeaderAndIcmp = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t kMostInFront = 60 + 8;

    std::size_t in_front = 0;  ///< bytes before the packet, at most kMostInFront, or kIpHeaderAndIcmp
    PacketKind kind = PacketKind::packet;
    bool leaves_reports = false;  ///< somebody else empties the socket's error queue
    bool hides_length = false;    ///< MSG_TRUNC does not tell the full length (ping sockets): all of a packet is read
};

class DatagramReader {
public:
    /// Asked for, in bytes; the kernel gives less where net.core.rmem_max is lower and CAP_NET_ADMIN is missing.
    static constexpr int kReceiveBuffer = 8 << 20;

    /// Socket and clock outlive the reader; the socket's options are set here. `spec.gro` is kept for UDP flows whose
    /// packets may share a time of arrival and are not asked for their headers. Throws: SystemError.
    DatagramReader(const InboxSpec& spec, const FileDescriptor& socket, Clock& clock,
                   const DatagramFormat& format = {});
    DatagramReader(const DatagramReader&) = delete;
    DatagramReader& operator=(const DatagramReader&) = delete;

    /// As Inbox::drain(), but may leave room where the next message might not fit. Packet path; allocates in the rare
    /// case that a message holds more packets than those before it and than there is room for.
    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept;
    /// ICMP's sequence numbers of the packets of the last drain(), in order. Requires: an ICMP flow with the round-trip
    /// meter.
    [[nodiscard]] std::span<const std::uint16_t> icmp_sequences() const noexcept { return icmp_sequences_; }
    [[nodiscard]] const InboxCounts& counts() const noexcept { return counts_; }
    /// Of the first packet; invalid before.
    [[nodiscard]] const SocketAddress& remote() const noexcept { return remote_; }
    /// As Inbox::timestamps().
    [[nodiscard]] std::string_view timestamps() const noexcept;
    /// As Inbox::gro().
    [[nodiscard]] const std::optional<GroStart>& gro() const noexcept { return gro_.started(); }
    /// What was asked for and is not so, a sentence each.
    [[nodiscard]] const std::vector<std::string>& warnings() const noexcept { return warnings_; }

private:
    /// A message of the last receive.
    struct Received {
        ReceiveBatch& batch;
        std::size_t index;
        DatagramExtras extras;
        WallTime read_at;
    };

    void expect_several_packets() noexcept;
    [[nodiscard]] std::size_t take_held(std::span<Arrival> out) noexcept;
    /// Puts the packets of a message into `out`, and what finds no room there into held_. Returns: how many.
    [[nodiscard]] std::size_t take(const Received& message, std::span<Arrival> out) noexcept;
    /// Returns: whether it is a packet of the flow, which `out` then is.
    [[nodiscard]] bool accept(const Received& message, std::span<const std::byte> start, std::size_t size,
                              Arrival& out) noexcept;
    [[nodiscard]] bool is_for_us(const PacketPrefix& header) const noexcept;
    [[nodiscard]] std::uint16_t icmp_sequence(std::span<const std::byte> start) const noexcept;
    [[nodiscard]] std::size_t size_in_front(std::span<const std::byte> start) const noexcept;
    /// Returns: whether there may be more packets behind the error.
    [[nodiscard]] bool pass_over_error() noexcept;
    /// Counts the kernel's drops and, if the flow may have GRO, switches it on when it falls behind.
    void check_memory() noexcept;
    void see_kernel_drops(std::uint32_t drops) noexcept;

    FlowId flow_;
    PacketFormat packets_;
    bool shared_;  ///< by several flows: each packet says of which it is
    HostKey expected_;
    DatagramFormat format_;
    int fd_;
    Clock& clock_;
    ReceiveBatch::Reading reading_;
    std::vector<std::uint16_t> icmp_sequences_;  ///< empty: nobody wants them
    std::size_t icmp_taken_ = 0;
    StampSource stamps_;
    bool header_wanted_;
    GroSwitch gro_;
    std::size_t packets_in_message_ = 1;  ///< the most in one of the last messages
    std::vector<Arrival> held_;           ///< of a message that held more than there was room for
    std::size_t held_taken_ = 0;          ///< of those
    InboxCounts counts_;
    std::uint32_t last_drops_ = 0;  ///< the kernel's 32-bit counter when it was last seen
    SocketAddress remote_;
    std::vector<std::string> warnings_;
};

}  // namespace groma
