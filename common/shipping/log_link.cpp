#include "common/shipping/log_link.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/checked.hpp"
#include "common/os/host.hpp"
#include "common/os/system_clock.hpp"

namespace groma {

namespace {

constexpr const char* kAdvice = "is groma-log running there, and may this host reach it?";
// A connection on which nothing is acknowledged for so long is dead, whatever TCP would still try.
constexpr int kUserTimeoutMs = 10'000;

/// Returns: false when the deadline came first.
bool wait_for(int fd, short events, MonoTime deadline) {
    SystemClock clock;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock.now()).count();
        pollfd entry{.fd = fd, .events = events, .revents = 0};
        const int ready = ::poll(&entry, 1, static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000)));
        if (ready > 0) {
            return true;
        }
        if (ready < 0 and errno != EINTR) {
            throw SystemError("wait for the log server", errno);
        }
        if (ready == 0 and left <= 0) {
            return false;
        }
    }
}

void set_option(int fd, int level, int option, int value, const char* attempt) {
    checked(attempt, ::setsockopt(fd, level, option, &value, sizeof value));
}

FileDescriptor connect_to(const SocketAddress& server, const std::string& peer, MonoTime deadline) {
    const std::string attempt = "connect to the " + peer;
    FileDescriptor socket(checked(attempt, ::socket(server.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)));
    set_option(socket.get(), IPPROTO_TCP, TCP_NODELAY, 1, "set TCP_NODELAY on a log connection");
    set_option(socket.get(), SOL_SOCKET, SO_KEEPALIVE, 1, "set SO_KEEPALIVE on a log connection");
    set_option(socket.get(), IPPROTO_TCP, TCP_USER_TIMEOUT, kUserTimeoutMs, "set TCP_USER_TIMEOUT on a log connection");
    if (::connect(socket.get(), server.data(), server.size()) < 0 and errno != EINPROGRESS) {
        throw SystemError(attempt, errno, kAdvice);
    }
    if (not wait_for(socket.get(), POLLOUT, deadline)) {
        throw SystemError(attempt, ETIMEDOUT, kAdvice);
    }
    int error = 0;
    socklen_t size = sizeof error;
    checked(attempt, ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size));
    if (error != 0) {
        throw SystemError(attempt, error, kAdvice);
    }
    return socket;
}

}  // namespace

LogLink::LogLink(FileDescriptor socket, const std::string& peer)
    : socket_(std::move(socket)), peer_(peer), frames_(peer, kMaxOtherFrame) {}

LogLink LogLink::open(const SocketAddress& server, const std::string& peer, const OpenLog& log, Nanos limit) {
    const MonoTime deadline = SystemClock().now() + limit;
    LogLink link(connect_to(server, peer, deadline), peer);
    link.greet(log, deadline);
    return link;
}

void LogLink::greet(const OpenLog& log, MonoTime deadline) {
    auto bytes = serialize(ShipperHello{kLogProtocolVersion, host_name()});
    const auto opening = serialize(log);
    bytes.insert(bytes.end(), opening.begin(), opening.end());
    for (std::span<const std::byte> rest = bytes; not rest.empty();) {
        if (not wait_for(fd(), POLLOUT, deadline)) {
            throw SystemError("open a log at the " + peer_, ETIMEDOUT, kAdvice);
        }
        rest = rest.subspan(send(rest));
    }
    for (;;) {
        if (const auto frame = next()) {
            if (std::holds_alternative<ServerWelcome>(*frame)) {
                continue;
            }
            const auto* opened = std::get_if<LogOpened>(&*frame);
            if (opened == nullptr) {
                throw ProtocolError(peer_, "did not answer the opening of a log as a Groma log server does");
            }
            durable_ = opened->pieces;
            return;
        }
        if (not wait_for(fd(), POLLIN, deadline)) {
            throw SystemError("open a log at the " + peer_, ETIMEDOUT,
                              "something listens there, but it does not answer");
        }
        receive();
    }
}

std::size_t LogLink::send(std::span<const std::byte> bytes) {
    const ssize_t sent = ::send(fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
        return static_cast<std::size_t>(sent);
    }
    if (errno == EAGAIN or errno == EINTR) {
        return 0;
    }
    throw SystemError("send to the " + peer_, errno);
}

void LogLink::receive() {
    const auto space = frames_.space();
    const ssize_t got = ::recv(fd(), space.data(), space.size(), 0);
    if (got > 0) {
        frames_.filled(static_cast<std::size_t>(got));
    } else if (got == 0) {
        throw SystemError("hear from the " + peer_, ECONNRESET, "it closed the connection");
    } else if (errno != EAGAIN and errno != EINTR) {
        throw SystemError("hear from the " + peer_, errno);
    }
}

std::optional<LogFrame> LogLink::next() {
    auto frame = frames_.next();
    if (frame) {
        if (const auto* refused = std::get_if<LogRefused>(&*frame)) {
            const std::string reason = "refused: " + plain_text(refused->reason);
            if (refused->try_again) {
                throw LogServerBusy(reason);
            }
            throw ProtocolError(peer_, reason);
        }
    }
    return frame;
}

}  // namespace groma
