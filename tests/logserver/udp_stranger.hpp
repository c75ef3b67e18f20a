// A peer of a log server over UDP that keeps to no protocol: it sends what a test likes and hears every datagram.
#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <cstdint>
#include <span>
#include <vector>

#include "common/net/socket/socket.hpp"
#include "common/os/checked.hpp"
#include "common/shipping/datagram/datagram_format.hpp"
#include "tests/patience.hpp"

namespace groma {

class UdpStranger {
public:
    explicit UdpStranger(std::uint16_t port, const char* host = "127.0.0.1")
        : socket_(open_socket(SocketAddress::from_literal(host, port), SOCK_DGRAM)) {
        const auto server = SocketAddress::from_literal(host, port);
        checked("connect", ::connect(socket_.get(), server.data(), server.size()));
    }
    void send(std::span<const std::byte> datagram) { ::send(socket_.get(), datagram.data(), datagram.size(), 0); }
    std::vector<std::byte> hear() {
        pollfd entry{.fd = socket_.get(), .events = POLLIN, .revents = 0};
        ::poll(&entry, 1, static_cast<int>(kPatience / std::chrono::milliseconds(1)));
        return hear_at_once();
    }
    std::vector<std::byte> hear_at_once() {
        std::vector<std::byte> bytes(2000);
        const ssize_t got = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
        bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
        return bytes;
    }
    [[nodiscard]] SocketAddress address() const { return local_address_of(socket_.get()); }

private:
    FileDescriptor socket_;
};

}  // namespace groma
