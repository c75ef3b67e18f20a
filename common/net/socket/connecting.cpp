#include "common/net/socket/connecting.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <string>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"

namespace groma {

namespace {

constexpr int kBacklog = 8;
/// Connections looked at in one call, so that a flood of foreign ones cannot keep it for ever.
constexpr int kMostAccepted = 64;

std::string_view advice_for(int errno_value) {
    switch (errno_value) {
        case ECONNREFUSED:
            return "nothing listens there: is the receiver running, and is the port right?";
        case ETIMEDOUT:
            return "no answer: check the address and whether a firewall is in the way";
        case EHOSTUNREACH:
        case ENETUNREACH:
            return "check the address and the routes: ip route get";
        default:
            return {};
    }
}

/// Returns: 0 or the errno of the attempt.
int try_to_connect(int fd, const SocketAddress& to, const Deadline& deadline) noexcept {
    if (::connect(fd, to.data(), to.size()) == 0) {
        return 0;
    }
    if (errno != EINPROGRESS) {
        return errno;
    }
    if (not wait_until_writable(fd, deadline)) {
        return ETIMEDOUT;
    }
    int error = 0;
    socklen_t size = sizeof error;
    return ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace

bool wait_until_writable(int fd, const Deadline& deadline) noexcept {
    while (true) {
        const Nanos left = std::max(Nanos{0}, deadline.at - deadline.clock.now());
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
        const timespec limit{.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
        pollfd entry{.fd = fd, .events = POLLOUT, .revents = 0};
        const int ready = ::ppoll(&entry, 1, &limit, nullptr);
        if (ready >= 0 or errno != EINTR) {
            return ready > 0;
        }
    }
}

void connect_before(const Deadline& deadline, const FileDescriptor& socket, const SocketAddress& to,
                    std::string_view title) {
    if (const int error = try_to_connect(socket.get(), to, deadline); error != 0) {
        throw SystemError("connect to " + to.to_string() + " over " + std::string(title), error,
                          std::string(advice_for(error)));
    }
}

void connect_datagrams(const FileDescriptor& socket, const SocketAddress& to, const std::string& what) {
    if (::connect(socket.get(), to.data(), to.size()) < 0) {
        const int error = errno;
        throw SystemError(what, error, "check the address and the routes: ip route get " + to.host_to_string());
    }
}

OneConnection::OneConnection(FileDescriptor bound, const SocketAddress& expected_peer,
                             const std::optional<SocketAddress>& to_dial)
    : listener_(std::move(bound)), expected_(expected_peer), local_(local_address_of(listener_.get())) {
    if (to_dial) {
        dial(*to_dial);
    } else {
        listen();
    }
}

void OneConnection::dial(const SocketAddress& to) {
    if (::connect(listener_.get(), to.data(), to.size()) < 0 and errno != EINPROGRESS) {
        const int error = errno;
        throw SystemError("dial " + to.to_string(), error, std::string(advice_for(error)));
    }
    remote_ = to;
    connection_ = std::move(listener_);
    sampled_fd_.store(connection_.get(), std::memory_order_release);
    local_ = local_address_of(connection_.get());
}

void OneConnection::listen() {
    if (::listen(listener_.get(), kBacklog) < 0) {
        const int error = errno;
        throw SystemError("listen on " + local_.to_string(), error, "another program has this port: choose another");
    }
    local_ = local_address_of(listener_.get());
}

bool OneConnection::connected(std::uint64_t& foreign) noexcept {
    cannot_accept_ = false;
    for (int i = 0; i < kMostAccepted and not connection_.valid(); ++i) {
        sockaddr_storage storage{};
        socklen_t size = sizeof storage;
        auto* const address = reinterpret_cast<sockaddr*>(&storage);
        FileDescriptor accepted(::accept4(listener_.get(), address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (not accepted.valid()) {
            cannot_accept_ = errno == EMFILE or errno == ENFILE or errno == ENOBUFS or errno == ENOMEM;
            break;
        }
        const SocketAddress peer(address, size);
        if (not peer.same_host(expected_)) {
            ++foreign;
            continue;
        }
        remote_ = peer;
        connection_ = std::move(accepted);
        sampled_fd_.store(connection_.get(), std::memory_order_release);
        local_ = local_address_of(connection_.get());
        listener_.reset();
    }
    return connection_.valid();
}

}  // namespace groma
