#include "common/shipping/links/link_openers.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/access/tls.hpp"
#include "common/access/tls_socket.hpp"
#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/shipping/links/shipping_link.hpp"
#include "common/shipping/protocol/log_frame_reader.hpp"
#include "common/shipping/protocol/log_frames.hpp"

namespace groma {

namespace {

constexpr const char* kAdvice = "is groma-log running there, and may this host reach it?";
// Bytes of frames that wait for the kernel; one more frame may exceed it.
constexpr std::size_t kOutgoing = 512U << 10U;

int milliseconds_until(MonoTime deadline, Clock& clock) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - clock.now()).count();
    return static_cast<int>(std::clamp<std::int64_t>(left, 0, 60'000));
}

void await_events(int fd, short events, const std::string& attempt, MonoTime deadline, Clock& clock) {
    pollfd entry{.fd = fd, .events = events, .revents = 0};
    while (::poll(&entry, 1, milliseconds_until(deadline, clock)) <= 0) {
        if (clock.now() >= deadline) {
            throw SystemError(attempt, ETIMEDOUT, kAdvice);
        }
    }
}

void await_connection(int fd, const std::string& attempt, MonoTime deadline, Clock& clock) {
    await_events(fd, POLLOUT, attempt, deadline, clock);
    int error = 0;
    socklen_t size = sizeof error;
    checked(attempt, ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size));
    if (error != 0) {
        throw SystemError(attempt, error, kAdvice);
    }
}

FileDescriptor connect_to(const SocketAddress& server, const std::string& peer, const ShippingTimes& times,
                          MonoTime deadline, Clock& clock) {
    const std::string attempt = "connect to the " + peer;
    FileDescriptor socket = open_socket(server, SOCK_STREAM);
    set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1, "TCP_NODELAY");
    set_option(socket, SOL_SOCKET, SO_KEEPALIVE, 1, "SO_KEEPALIVE");
    // A connection without acknowledgements for this time is dead, even if TCP would still retry.
    set_option(socket, IPPROTO_TCP, TCP_USER_TIMEOUT, static_cast<int>(times.unanswered / std::chrono::milliseconds(1)),
               "TCP_USER_TIMEOUT");
    if (::connect(socket.get(), server.data(), server.size()) < 0 and errno != EINPROGRESS) {
        throw SystemError(attempt, errno, kAdvice);
    }
    await_connection(socket.get(), attempt, deadline, clock);
    return socket;
}

/// One TCP connection to a log server. Only the constructor and wait() block. Thread: one.
class TcpLink final : public ShippingLink {
public:
    /// Connects. `peer` is used in messages. The clock outlives the link. Throws: SystemError; RunError if the server
    /// does not take the key.
    TcpLink(const SocketAddress& server, std::string peer, const std::optional<OfferedKey>& key,
            const ShippingTimes& times, Clock& clock);

    [[nodiscard]] bool send(std::span<const std::byte> frame) override;
    void turn() override;
    [[nodiscard]] std::optional<LogFrame> next() override { return frames_.next(); }
    void wait(int wake_fd, MonoTime until) override;

private:
    /// Under TLS from now on.
    void prove(const OfferedKey& key, MonoTime deadline);
    void receive();
    void flush();
    [[nodiscard]] std::size_t waiting() const { return outgoing_.size() - sent_; }

    Clock& clock_;
    std::string peer_;
    FileDescriptor socket_;
    std::unique_ptr<TlsSocket> tls_;  ///< null: in clear
    LogFrameReader frames_;
    std::vector<std::byte> outgoing_;
    std::size_t sent_ = 0;  ///< of outgoing_
    int send_error_ = 0;    ///< errno of send(); thrown once all received data is read
};

}  // namespace

LinkOpener tcp_link(const SocketAddress& server, const std::string& peer, const std::optional<OfferedKey>& key,
                    const ShippingTimes& times) {
    return [=](Clock& clock) { return std::make_unique<TcpLink>(server, peer, key, times, clock); };
}

TcpLink::TcpLink(const SocketAddress& server, std::string peer, const std::optional<OfferedKey>& key,
                 const ShippingTimes& times, Clock& clock)
    : clock_(clock), peer_(std::move(peer)), frames_(peer_, kMaxOtherFrame) {
    const MonoTime deadline = clock.now() + times.connecting;
    socket_ = connect_to(server, peer_, times, deadline, clock);
    if (key) {
        prove(*key, deadline);
    }
}

void TcpLink::prove(const OfferedKey& key, MonoTime deadline) {
    tls_ = std::make_unique<TlsSocket>(socket_.get(), key.key);
    std::optional<boost::system::error_code> error = tls_->shake_hands();
    while (not error) {
        await_events(socket_.get(), static_cast<short>(POLLIN | tls_->events()), "connect to the " + peer_, deadline,
                     clock_);
        error = tls_->shake_hands();
    }
    if (*error) {
        throw RunError("the " + peer_ + ' ' + why_unproved(*error, key, "groma-log"));
    }
}

bool TcpLink::send(std::span<const std::byte> frame) {
    if (waiting() >= kOutgoing) {
        return false;
    }
    if (sent_ >= kOutgoing) {
        outgoing_.erase(outgoing_.begin(), outgoing_.begin() + static_cast<std::ptrdiff_t>(sent_));
        sent_ = 0;
    }
    outgoing_.insert(outgoing_.end(), frame.begin(), frame.end());
    return true;
}

void TcpLink::turn() {
    flush();
    receive();  // also after a failed send: the server's last message may give the reason
}

void TcpLink::receive() {
    const auto space = frames_.space();
    const ssize_t got = tls_ ? tls_->receive(space) : ::recv(socket_.get(), space.data(), space.size(), 0);
    if (got > 0) {
        frames_.filled(static_cast<std::size_t>(got));
    } else if (send_error_ != 0) {
        throw SystemError("send to the " + peer_, send_error_);
    } else if (got == 0) {
        throw SystemError("hear from the " + peer_, ECONNRESET, "it closed the connection");
    } else if (errno != EAGAIN and errno != EINTR) {
        throw SystemError("hear from the " + peer_, errno);
    }
}

void TcpLink::flush() {
    while (waiting() > 0 and send_error_ == 0) {
        const std::span<const std::byte> bytes(outgoing_.data() + sent_, waiting());
        const ssize_t taken =
            tls_ ? tls_->send(bytes) : ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (taken >= 0) {
            sent_ += static_cast<std::size_t>(taken);
        } else if (errno == EAGAIN) {
            return;
        } else if (errno != EINTR) {
            send_error_ = errno;
        }
    }
    outgoing_.clear();
    sent_ = 0;
}

void TcpLink::wait(int wake_fd, MonoTime until) {
    if (tls_ and tls_->has_more()) {
        return;
    }
    const bool writes = waiting() > 0 or (tls_ and tls_->events() != 0);
    const auto wanted = static_cast<short>(writes ? POLLIN | POLLOUT : POLLIN);
    std::array<pollfd, 2> entries{pollfd{.fd = socket_.get(), .events = wanted, .revents = 0},
                                  pollfd{.fd = wake_fd, .events = POLLIN, .revents = 0}};
    ::poll(entries.data(), entries.size(), milliseconds_until(until, clock_));
}

}  // namespace groma
