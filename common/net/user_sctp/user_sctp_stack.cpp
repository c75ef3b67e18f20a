// The stack of common/net/user_sctp/user_sctp_socket.hpp.
#ifdef GROMA_USRSCTP

#include <netinet/in.h>
#include <sys/socket.h>
#include <usrsctp.h>

#include <atomic>
#include <cerrno>
#include <string>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/user_sctp/user_sctp_socket.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

constexpr int kProtocolSctp = 132;
constexpr std::uint32_t kBuffer = 4 << 20;

/// For the upcalls of the library, which know nothing but a number.
std::atomic<UserSctpStack*>& running() {
    static std::atomic<UserSctpStack*> stack{nullptr};
    return stack;
}

std::mutex& starting() {
    static std::mutex mutex;
    return mutex;
}

/// The library does not say when it cannot have a port: found out before. Returns: the port. Throws: SystemError.
std::uint16_t free_udp_port(std::uint16_t asked) {
    const SocketAddress any = SocketAddress::from_literal("0.0.0.0", asked);
    const FileDescriptor socket = open_socket(any, SOCK_DGRAM);
    bind_socket(socket, any, any);
    return local_address_of(socket.get()).port();
}

void require_raw_sockets() {
    const FileDescriptor socket(::socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, kProtocolSctp));
    if (not socket.valid()) {
        throw SystemError("open a raw socket for SCTP in user space", errno,
                          "over IP it takes root or CAP_NET_RAW: give --encapsulation a UDP port instead");
    }
}

}  // namespace

UserSctpStack::UserSctpStack(std::uint16_t port) : port_(port) {
    usrsctp_init(port, nullptr, nullptr);
    usrsctp_sysctl_set_sctp_sendspace(kBuffer);
    usrsctp_sysctl_set_sctp_recvspace(kBuffer);
    usrsctp_sysctl_set_sctp_blackhole(2);  // nothing is said to strangers
}

UserSctpStack& UserSctpStack::start(std::optional<std::uint16_t> port) {
    const std::lock_guard lock(starting());
    if (UserSctpStack* const stack = running().load()) {
        const bool fits = port ? *port == stack->port_ : stack->port_ != 0;
        if (not fits) {
            throw UsageError(
                "SCTP in user space runs " +
                (stack->port_ == 0 ? std::string("over IP") : "at UDP port " + std::to_string(stack->port_)) +
                " in this process already, and can run in one way only: ask for the same encapsulation");
        }
        return *stack;
    }
    if (port == std::uint16_t{0}) {
        require_raw_sockets();
    }
    const std::uint16_t own = port == std::uint16_t{0} ? std::uint16_t{0} : free_udp_port(port.value_or(0));
    // Never deleted: the library's threads run until the process ends.
    running().store(new UserSctpStack(own));  // NOLINT(cppcoreguidelines-owning-memory)
    return *running().load();
}

UserSctpStack::Id UserSctpStack::add(std::function<void()> on_event) {
    const std::lock_guard lock(mutex_);
    listeners_.emplace(next_, std::move(on_event));
    return next_++;
}

void UserSctpStack::remove(Id id) noexcept {
    const std::lock_guard lock(mutex_);
    listeners_.erase(id);
}

// An upcall may be under way when its socket is closed: it finds the number gone.
void UserSctpStack::upcall(UserSctpHandle*, void* argument, int) noexcept {
    UserSctpStack* const stack = running().load();
    const std::lock_guard lock(stack->mutex_);
    const auto found = stack->listeners_.find(reinterpret_cast<Id>(argument));
    if (found != stack->listeners_.end()) {
        found->second();
    }
}

}  // namespace groma

#endif
