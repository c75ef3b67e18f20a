// Datagrams in and out of a UDP socket, several with one call of the kernel. Knows from where a datagram came and to
// which of this host's addresses, so that the answer leaves from the same. One thread.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/os/file_descriptor.hpp"

namespace groma {

/// Where a datagram goes, and from which address of this host. Empty: as the socket is connected.
struct UdpRoute {
    sockaddr_storage peer{};
    socklen_t peer_size = 0;
    in6_pktinfo local6{};  ///< for a peer of IPv6
    in_pktinfo local4{};   ///< for a peer of IPv4
};

class UdpBatch {
public:
    UdpBatch();
    ~UdpBatch();
    UdpBatch(const UdpBatch&) = delete;
    UdpBatch& operator=(const UdpBatch&) = delete;

    static constexpr std::size_t kDatagrams = 32;

    /// Takes what has come, kDatagrams at most. Returns: how many; 0 and errno for none.
    [[nodiscard]] std::size_t receive(const FileDescriptor& socket) noexcept;
    [[nodiscard]] std::span<const std::byte> received(std::size_t index) const noexcept;
    /// Was cut: longer than any of ours.
    [[nodiscard]] bool too_long(std::size_t index) const noexcept;
    [[nodiscard]] const UdpRoute& route(std::size_t index) const noexcept;
    /// Datagrams that the kernel dropped for want of room, since the socket was opened (SO_RXQ_OVFL).
    [[nodiscard]] std::uint32_t kernel_drops() const noexcept { return kernel_drops_; }

    /// Room for the next datagram to be sent. Requires: not full().
    [[nodiscard]] std::span<std::byte> slot() noexcept;
    /// It was filled with so many bytes. `route` lives until it is sent; none for a connected socket.
    void add(std::size_t bytes, const UdpRoute* route) noexcept;
    [[nodiscard]] bool full() const noexcept { return queued_ == kDatagrams; }
    [[nodiscard]] std::size_t waiting() const noexcept { return queued_ - sent_; }
    /// Sends what waits. Returns: 0 when all went, else errno for the first that did not.
    [[nodiscard]] int send(const FileDescriptor& socket) noexcept;
    /// Forgets the first that waits: it cannot be sent.
    void skip() noexcept;
    /// The route of the first that waits.
    [[nodiscard]] const UdpRoute* first_route() const noexcept;

private:
    struct Memory;
    void forget_sent() noexcept;

    std::unique_ptr<Memory> memory_;
    std::size_t queued_ = 0;
    std::size_t sent_ = 0;
    std::uint32_t kernel_drops_ = 0;
};

}  // namespace groma
