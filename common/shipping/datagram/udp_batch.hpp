// Sends and receives datagrams of a UDP socket, several per system call. Returns each datagram's source, and its
// destination among this host's addresses, so that the answer leaves from there. Thread: one.
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

/// A datagram's destination, and its source address on this host. Empty: as the socket is connected.
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

    /// Receives at most kDatagrams datagrams. Returns: how many; 0 with errno set for none.
    [[nodiscard]] std::size_t receive(const FileDescriptor& socket) noexcept;
    [[nodiscard]] std::span<const std::byte> received(std::size_t index) const noexcept;
    /// Whether it was cut: longer than any valid one.
    [[nodiscard]] bool too_long(std::size_t index) const noexcept;
    [[nodiscard]] const UdpRoute& route(std::size_t index) const noexcept;
    /// Datagrams that the kernel dropped because the buffer was full, since the socket was opened (SO_RXQ_OVFL).
    [[nodiscard]] std::uint32_t kernel_drops() const noexcept { return kernel_drops_; }

    /// Buffer for the next datagram to send. Requires: not full().
    [[nodiscard]] std::span<std::byte> slot() noexcept;
    /// Queues the datagram in slot(), of this number of bytes. `route` lives until it is sent; null for a connected
    /// socket.
    void add(std::size_t bytes, const UdpRoute* route) noexcept;
    [[nodiscard]] bool full() const noexcept { return queued_ == kDatagrams; }
    [[nodiscard]] std::size_t waiting() const noexcept { return queued_ - sent_; }
    /// Sends the queued datagrams. Returns: 0 if all were sent, else errno for the first that was not.
    [[nodiscard]] int send(const FileDescriptor& socket) noexcept;
    /// Drops the first queued one: it cannot be sent.
    void skip() noexcept;
    /// The route of the first queued one.
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
