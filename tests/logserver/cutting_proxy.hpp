// A connection between a client and a server on this host that breaks occasionally.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"
#include "logserver/listeners.hpp"

namespace groma {

inline FileDescriptor connect_to(std::uint16_t port) {
    const SocketAddress address = SocketAddress::from_literal("127.0.0.1", port);
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::connect(socket.get(), address.data(), address.size()), 0);
    return socket;
}

/// Forwards bytes between a client and the server, and a few times cuts the connection after a number of the client's
/// bytes.
class CuttingProxy {
public:
    CuttingProxy(std::uint16_t server_port, std::vector<std::size_t> cuts)
        : listener_(std::move(open_listeners({SocketAddress::from_literal("127.0.0.1", 0)}).front())),
          server_port_(server_port),
          cuts_(std::move(cuts)),
          thread_([this] { run(); }) {}
    CuttingProxy(const CuttingProxy&) = delete;
    CuttingProxy& operator=(const CuttingProxy&) = delete;
    ~CuttingProxy() {
        ::shutdown(listener_.get(), SHUT_RDWR);
        thread_.join();
    }
    [[nodiscard]] std::uint16_t port() const { return bound_address(listener_).port(); }
    [[nodiscard]] std::size_t connections() const { return connections_; }

private:
    void run() {
        for (;;) {
            pollfd entry{.fd = listener_.get(), .events = POLLIN, .revents = 0};
            ::poll(&entry, 1, -1);
            const FileDescriptor client(::accept(listener_.get(), nullptr, nullptr));
            if (not client.valid()) {
                return;
            }
            const std::size_t number = connections_++;
            carry(client, connect_to(server_port_), number < cuts_.size() ? cuts_[number] : SIZE_MAX);
        }
    }

    static void carry(const FileDescriptor& client, const FileDescriptor& server, std::size_t cut_after) {
        std::array<pollfd, 2> ends{pollfd{.fd = client.get(), .events = POLLIN, .revents = 0},
                                   pollfd{.fd = server.get(), .events = POLLIN, .revents = 0}};
        std::array<char, 1000> buffer{};
        while (cut_after > 0) {
            ::poll(ends.data(), ends.size(), -1);
            for (const std::size_t from : {0U, 1U}) {
                if (ends[from].revents == 0) {
                    continue;
                }
                const ssize_t got = ::recv(ends[from].fd, buffer.data(), std::min(buffer.size(), cut_after), 0);
                if (got <= 0 or
                    ::send(ends[1 - from].fd, buffer.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL) != got) {
                    return;
                }
                cut_after -= from == 0 and cut_after != SIZE_MAX ? static_cast<std::size_t>(got) : 0;
            }
        }
    }

    FileDescriptor listener_;
    std::uint16_t server_port_;
    std::vector<std::size_t> cuts_;
    std::atomic<std::size_t> connections_{0};
    std::thread thread_;
};

}  // namespace groma
