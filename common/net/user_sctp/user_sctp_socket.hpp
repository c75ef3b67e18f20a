// The SCTP of this process (libusrsctp) and its sockets, non-blocking, with what flows need of them. Only built with
// libusrsctp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

#include "common/model/transport/transport_options.hpp"
#include "common/net/socket/socket_address.hpp"

struct socket;  // libusrsctp's

namespace groma {

/// The library's; it has the name of the kernel's function.
using UserSctpHandle = struct ::socket;

/// The port of UDP that carries SCTP unless another was asked for (RFC 6951, 4.2).
inline constexpr std::uint16_t kSctpOverUdpPort = 9899;

/// The library has one stack for a process, with threads of its own that read its sockets and run its timers; it is
/// started by the first flow that needs it and stays until the process ends, because associations may still be
/// delivering when their sockets are closed. That is why this object is the process's, too.
class UserSctpStack {
public:
    using Id = std::uintptr_t;

    /// Starts the stack, or gives the one that runs. `port`: this host's UDP port that packets come in on; 0: they come
    /// over IP; nothing: any UDP port will do. Throws: SystemError when the port is taken, or raw sockets are not
    /// allowed; UsageError when the stack runs at another port already. Thread: any.
    [[nodiscard]] static UserSctpStack& start(std::optional<std::uint16_t> port);

    UserSctpStack(const UserSctpStack&) = delete;
    UserSctpStack& operator=(const UserSctpStack&) = delete;

    /// `on_event` is called whenever something may have happened to a socket that was given the id, on a thread of the
    /// library, until remove() has returned. It must neither block nor throw.
    [[nodiscard]] Id add(std::function<void()> on_event);
    void remove(Id id) noexcept;

    /// What a socket of the library calls, with an id as `argument`.
    static void upcall(UserSctpHandle* socket, void* argument, int flags) noexcept;

private:
    explicit UserSctpStack(std::uint16_t port);

    std::uint16_t port_;
    std::mutex mutex_;
    Id next_ = 1;
    std::map<Id, std::function<void()>> listeners_;  ///< guarded by mutex_
};

class UserSctpSocket {
public:
    /// Of a message that is sent.
    struct Label {
        std::uint16_t stream = 0;
        bool unordered = false;
        std::uint16_t policy = 0;        ///< of partial reliability, as the library numbers them
        std::uint32_t policy_value = 0;  ///< milliseconds or retransmissions
    };
    /// Of what was read.
    struct Piece {
        std::size_t bytes = 0;
        std::uint16_t stream = 0;
        bool last = false;  ///< of its message
    };

    /// `on_event`: see UserSctpStack::add(). Throws: SystemError.
    UserSctpSocket(UserSctpStack& stack, int family, std::function<void()> on_event);
    UserSctpSocket(const UserSctpSocket&) = delete;
    UserSctpSocket& operator=(const UserSctpSocket&) = delete;
    ~UserSctpSocket();

    /// Throw: SystemError. All before connect() or listen().
    void ask_for_streams(std::uint32_t out);
    void reach_over_udp(std::uint16_t port);
    void bind(const SocketAddress& address, const std::optional<PortRange>& range);
    void listen();

    /// Returns: 0, EINPROGRESS or what went wrong.
    [[nodiscard]] int connect(const SocketAddress& to) noexcept;
    /// Whether the association stands; `error` is why it never will.
    [[nodiscard]] bool established(int& error) noexcept;
    /// Streams that both ends agreed on; 0 without an association.
    [[nodiscard]] std::uint32_t streams() noexcept;

    /// The next association that came in, which goes on calling `on_event`; null: there is none. Its peer is in `peer`.
    [[nodiscard]] std::unique_ptr<UserSctpSocket> accept(SocketAddress& peer) noexcept;

    /// Returns: 0 or errno. Packet path, as far as the library's own code is.
    [[nodiscard]] int send(std::span<const std::byte> message, const Label& label) noexcept;
    /// Returns: nothing, with errno, when there is nothing to be read; 0 bytes when the peer has ended.
    [[nodiscard]] std::optional<Piece> receive(std::span<std::byte> buffer) noexcept;
    [[nodiscard]] bool writable() noexcept;
    void end_sending() noexcept;

    [[nodiscard]] std::uint16_t port() const noexcept;

private:
    UserSctpSocket(UserSctpStack& stack, UserSctpHandle* taken, std::function<void()> on_event);
    void set_up();
    void close() noexcept;
    void set(int option, const void* value, std::size_t size, const char* what);

    UserSctpStack& stack_;
    std::function<void()> on_event_;
    UserSctpHandle* socket_;
    UserSctpStack::Id id_ = 0;
};

}  // namespace groma
