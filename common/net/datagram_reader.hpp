// Drains the datagrams of one flow from a socket with recvmmsg(2), each with the time of its arrival, the kernel's
// unless the flow asks for another, and with its TTL and DS byte if it asks for them. Only the first bytes of a packet
// are copied out of the kernel, with its full length (MSG_TRUNC).
#pragma once

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "common/net/datagram_extras.hpp"
#include "common/net/inbox.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/wire/reply.hpp"

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
    /// The socket outlives the reader; its options are set here. Throws: SystemError.
    DatagramReader(const InboxSpec& spec, const FileDescriptor& socket, const DatagramFormat& format = {});
    ~DatagramReader();
    DatagramReader(const DatagramReader&) = delete;
    DatagramReader& operator=(const DatagramReader&) = delete;

    /// As Inbox::drain(). Packet path.
    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept;
    /// ICMP's sequence numbers of the packets of the last drain(), in order. Requires: an ICMP flow with the round-trip
    /// meter.
    [[nodiscard]] std::span<const std::uint16_t> icmp_sequences() const noexcept { return icmp_sequences_; }
    [[nodiscard]] const InboxCounts& counts() const noexcept { return counts_; }
    /// Of the first packet; invalid before.
    [[nodiscard]] const SocketAddress& remote() const noexcept { return remote_; }
    /// As Inbox::timestamps().
    [[nodiscard]] std::string_view timestamps() const noexcept { return stamps_in_words(stamps_.source); }
    /// Why the times are not those that were asked for; empty: they are.
    [[nodiscard]] const std::string& remark() const noexcept { return stamps_.remark; }

private:
    struct Batch;

    [[nodiscard]] bool accept(std::size_t index, WallTime now, Arrival& out) noexcept;
    [[nodiscard]] std::optional<Reply> parse(std::span<const std::byte> start) const noexcept;
    [[nodiscard]] std::uint16_t icmp_sequence(std::size_t index) const noexcept;
    [[nodiscard]] std::size_t size_in_front(std::span<const std::byte> start) const noexcept;
    /// Returns: whether there may be more packets behind the error.
    [[nodiscard]] bool pass_over_error() noexcept;
    void read_kernel_drops() noexcept;
    void see_kernel_drops(std::uint32_t drops) noexcept;

    FlowId flow_;
    HeaderLevel header_;
    HostKey expected_;
    DatagramFormat format_;
    int fd_;
    std::unique_ptr<Batch> batch_;               ///< what recvmmsg fills
    std::vector<std::uint16_t> icmp_sequences_;  ///< empty: nobody wants them
    StampSettings stamps_;
    bool header_wanted_ = false;
    InboxCounts counts_;
    std::uint32_t last_drops_ = 0;  ///< the kernel's 32-bit counter when it was last seen
    SocketAddress remote_;
};

}  // namespace groma
