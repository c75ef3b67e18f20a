// Drains the datagrams of one flow from a socket with recvmmsg(2), each with the kernel's time of its arrival
// (SO_TIMESTAMPNS). Only the first bytes of a packet are copied out of the kernel, with its full length (MSG_TRUNC).
#pragma once

#include <limits>
#include <memory>

#include "common/net/inbox.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

class DatagramReader {
public:
    /// In front of what a raw IPv4 socket gives lie the IP header, of varying length, and ICMP's.
    static constexpr std::size_t kIpHeaderAndIcmp = std::numeric_limits<std::size_t>::max();
    static constexpr std::size_t kMostInFront = 60 + 8;

    /// `in_front`: bytes before the packet in what the socket gives, at most kMostInFront, or kIpHeaderAndIcmp. The
    /// socket outlives the reader; its options are set here. Throws: SystemError.
    DatagramReader(const InboxSpec& spec, const FileDescriptor& socket, std::size_t in_front = 0);
    ~DatagramReader();
    DatagramReader(const DatagramReader&) = delete;
    DatagramReader& operator=(const DatagramReader&) = delete;

    /// As Inbox::drain(). Packet path.
    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept;
    [[nodiscard]] const InboxCounts& counts() const noexcept { return counts_; }
    /// Of the first packet; invalid before.
    [[nodiscard]] const SocketAddress& remote() const noexcept { return remote_; }

private:
    struct Batch;

    [[nodiscard]] bool accept(std::size_t index, WallTime now, Arrival& out) noexcept;
    [[nodiscard]] std::size_t size_in_front(std::span<const std::byte> start) const noexcept;
    void read_kernel_drops() noexcept;
    void see_kernel_drops(std::uint32_t drops) noexcept;

    FlowId flow_;
    HeaderLevel header_;
    HostKey expected_;
    std::size_t in_front_;
    int fd_;
    std::unique_ptr<Batch> batch_;  ///< what recvmmsg fills
    InboxCounts counts_;
    std::uint32_t last_drops_ = 0;  ///< the kernel's 32-bit counter when it was last seen
    SocketAddress remote_;
};

}  // namespace groma
