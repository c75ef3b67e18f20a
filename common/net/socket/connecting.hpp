// Connections of flows being made: by a sender within a limit of time, and by a receiver that takes one from one host.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/time/clock.hpp"

namespace groma {

/// When waiting ends, on the clock that says so.
struct Deadline {
    MonoTime at;
    Clock& clock;
};

/// Returns: false when the socket did not become writable before the deadline.
[[nodiscard]] bool wait_until_writable(int fd, const Deadline& deadline) noexcept;

/// Connects a non-blocking socket. Throws: SystemError "connect to 10.0.0.1:8999 over SCTP", with advice.
void connect_before(const Deadline& deadline, const FileDescriptor& socket, const SocketAddress& to,
                    std::string_view title);

/// Gives a socket of datagrams its destination. Throws: SystemError with `what`, "send to 10.0.0.1:8999 over UDP", and
/// advice.
void connect_datagrams(const FileDescriptor& socket, const SocketAddress& to, const std::string& what);

/// A listening socket until the expected host has connected, that connection afterwards; or one that is dialled.
class OneConnection {
public:
    /// Listens, or begins to connect to `dial`; the socket is bound. Throws: SystemError "listen on ...".
    OneConnection(FileDescriptor bound, const SocketAddress& expected_peer,
                  const std::optional<SocketAddress>& dial = std::nullopt);

    /// Takes the connection if it has come. Connections of other hosts are closed and counted in `foreign`.
    /// Returns: whether there is one. Packet path.
    [[nodiscard]] bool connected(std::uint64_t& foreign) noexcept;

    /// Whether one had come that the kernel could not give (EMFILE, ENFILE, ENOBUFS, ENOMEM), when it was last asked.
    [[nodiscard]] bool cannot_accept() const noexcept { return cannot_accept_; }
    /// Of the connection, or of the listener before.
    [[nodiscard]] int fd() const noexcept { return connection_.valid() ? connection_.get() : listener_.get(); }
    /// Of the connection, which stays what it is from then on; -1 before. Thread: any.
    [[nodiscard]] int sampled_fd() const noexcept { return sampled_fd_.load(std::memory_order_acquire); }
    [[nodiscard]] const SocketAddress& local() const noexcept { return local_; }
    [[nodiscard]] const SocketAddress& remote() const noexcept { return remote_; }  ///< invalid before

private:
    void listen();
    void dial(const SocketAddress& to);

    FileDescriptor listener_;
    FileDescriptor connection_;
    std::atomic<int> sampled_fd_{-1};
    bool cannot_accept_ = false;
    SocketAddress expected_;
    SocketAddress local_;
    SocketAddress remote_;
};

}  // namespace groma
