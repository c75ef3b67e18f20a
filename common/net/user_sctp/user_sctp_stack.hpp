// The SCTP of this process (libusrsctp). The library has one stack for a process, with threads of its own that read its
// sockets and run its timers; it is started by the first flow that needs it and stays until the process ends, because
// associations may still be delivering when their sockets are closed. That is why this object is the process's, too.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

struct socket;  // libusrsctp's

namespace groma {

/// The library's; it has the name of the kernel's function.
using UserSctpHandle = struct ::socket;

/// The port of UDP that carries SCTP unless another was asked for (RFC 6951, 4.2).
inline constexpr std::uint16_t kSctpOverUdpPort = 9899;

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

}  // namespace groma
