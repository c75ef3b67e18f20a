#include "common/net/user_sctp/user_sctp_socket.hpp"

#ifdef GROMA_USRSCTP

#include <netinet/in.h>
#include <sys/socket.h>
#include <usrsctp.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <string>
#include <utility>

#include "common/base/errors.hpp"
#include "common/model/transport/port_range.hpp"

namespace groma {

namespace {

constexpr int kBacklog = 8;
constexpr std::uint16_t kMostStreams = 65535;

sockaddr* address_in(sockaddr_storage& storage) {
    return reinterpret_cast<sockaddr*>(&storage);
}

}  // namespace

UserSctpSocket::UserSctpSocket(UserSctpStack& stack, int family, std::function<void()> on_event)
    : UserSctpSocket(stack, usrsctp_socket(family, SOCK_STREAM, IPPROTO_SCTP, nullptr, nullptr, 0, nullptr),
                     std::move(on_event)) {}

UserSctpSocket::UserSctpSocket(UserSctpStack& stack, UserSctpHandle* taken, std::function<void()> on_event)
    : stack_(stack), on_event_(std::move(on_event)), socket_(taken) {
    if (socket_ == nullptr) {
        throw SystemError("open a socket for SCTP in user space", errno);
    }
    try {
        set_up();
    } catch (const std::exception&) {
        close();
        throw;
    }
}

void UserSctpSocket::set_up() {
    id_ = stack_.add(on_event_);
    usrsctp_set_non_blocking(socket_, 1);
    usrsctp_set_upcall(socket_, &UserSctpStack::upcall, reinterpret_cast<void*>(id_));
    const int on = 1;
    set(SCTP_NODELAY, &on, sizeof on, "SCTP_NODELAY");
    set(SCTP_RECVRCVINFO, &on, sizeof on, "SCTP_RECVRCVINFO");
}

UserSctpSocket::~UserSctpSocket() {
    close();
}

void UserSctpSocket::close() noexcept {
    usrsctp_set_upcall(socket_, nullptr, nullptr);
    stack_.remove(id_);
    usrsctp_close(socket_);
}

void UserSctpSocket::set(int option, const void* value, std::size_t size, const char* what) {
    if (usrsctp_setsockopt(socket_, IPPROTO_SCTP, option, value, static_cast<socklen_t>(size)) < 0) {
        throw SystemError(std::string("set ") + what + " for SCTP in user space", errno);
    }
}

void UserSctpSocket::ask_for_streams(std::uint32_t out) {
    sctp_initmsg streams{};
    streams.sinit_num_ostreams = static_cast<std::uint16_t>(out);
    streams.sinit_max_instreams = kMostStreams;
    set(SCTP_INITMSG, &streams, sizeof streams, "the number of streams");
}

void UserSctpSocket::reach_over_udp(std::uint16_t port) {
    sctp_udpencaps encapsulation{};
    encapsulation.sue_address.ss_family = AF_INET;
    encapsulation.sue_port = htons(port);
    set(SCTP_REMOTE_UDP_ENCAPS_PORT, &encapsulation, sizeof encapsulation, "the UDP port of the peer");
}

void UserSctpSocket::bind(const SocketAddress& address, const std::optional<PortRange>& range) {
    const bool one = address.port() != 0 or not range;
    const PortRange ports = one ? PortRange{address.port(), address.port()} : *range;
    for (std::uint32_t port = ports.first; port <= ports.last; ++port) {
        SocketAddress at = address.with_port(static_cast<std::uint16_t>(port));
        sockaddr_storage storage{};
        std::memcpy(&storage, at.data(), at.size());
        if (usrsctp_bind(socket_, address_in(storage), at.size()) == 0) {
            return;
        }
        if (errno != EADDRINUSE or one) {
            throw SystemError("bind " + at.to_string() + " for SCTP in user space", errno);
        }
    }
    throw SystemError("bind one of the ports " + to_string(ports) + " of " + address.host_to_string(), EADDRINUSE,
                      "all of them are taken: give a larger range, or use fewer flows");
}

void UserSctpSocket::listen() {
    if (usrsctp_listen(socket_, kBacklog) < 0) {
        throw SystemError("listen for SCTP in user space", errno);
    }
}

int UserSctpSocket::connect(const SocketAddress& to) noexcept {
    sockaddr_storage storage{};
    std::memcpy(&storage, to.data(), to.size());
    return usrsctp_connect(socket_, address_in(storage), to.size()) == 0 ? 0 : errno;
}

bool UserSctpSocket::established(int& error) noexcept {
    socklen_t size = sizeof error;
    if (usrsctp_getsockopt(socket_, SOL_SOCKET, SO_ERROR, &error, &size) < 0) {
        error = errno;
    }
    return error == 0 and streams() > 0;
}

std::uint32_t UserSctpSocket::streams() noexcept {
    sctp_status status{};
    socklen_t size = sizeof status;
    if (usrsctp_getsockopt(socket_, IPPROTO_SCTP, SCTP_STATUS, &status, &size) < 0 or
        status.sstat_state != SCTP_ESTABLISHED) {
        return 0;
    }
    return std::max<std::uint32_t>(1, status.sstat_outstrms);
}

std::unique_ptr<UserSctpSocket> UserSctpSocket::accept(SocketAddress& peer) noexcept {
    sockaddr_storage storage{};
    socklen_t size = sizeof storage;
    UserSctpHandle* const taken = usrsctp_accept(socket_, address_in(storage), &size);
    if (taken == nullptr) {
        return nullptr;
    }
    peer = SocketAddress(address_in(storage), size);
    try {
        return std::unique_ptr<UserSctpSocket>(new UserSctpSocket(stack_, taken, on_event_));
    } catch (const std::exception&) {  // no memory, or no room for its options: the connection is gone
        return nullptr;
    }
}

int UserSctpSocket::send(std::span<const std::byte> message, const Label& label) noexcept {
    sctp_sendv_spa info{};
    info.sendv_flags = SCTP_SEND_SNDINFO_VALID;
    info.sendv_sndinfo.snd_sid = label.stream;
    info.sendv_sndinfo.snd_flags = label.unordered ? SCTP_UNORDERED : 0;
    if (label.policy != 0) {
        info.sendv_flags |= SCTP_SEND_PRINFO_VALID;
        info.sendv_prinfo.pr_policy = label.policy;
        info.sendv_prinfo.pr_value = label.policy_value;
    }
    return usrsctp_sendv(socket_, message.data(), message.size(), nullptr, 0, &info, sizeof info, SCTP_SENDV_SPA, 0) < 0
               ? errno
               : 0;
}

std::optional<UserSctpSocket::Piece> UserSctpSocket::receive(std::span<std::byte> buffer) noexcept {
    sctp_rcvinfo info{};
    socklen_t info_size = sizeof info;
    unsigned info_type = 0;
    int flags = 0;
    const ssize_t count =
        usrsctp_recvv(socket_, buffer.data(), buffer.size(), nullptr, nullptr, &info, &info_size, &info_type, &flags);
    if (count < 0) {
        return std::nullopt;
    }
    const bool told = info_type == SCTP_RECVV_RCVINFO;
    return Piece{static_cast<std::size_t>(count), told ? info.rcv_sid : std::uint16_t{0}, (flags & MSG_EOR) != 0};
}

bool UserSctpSocket::writable() noexcept {
    return (usrsctp_get_events(socket_) & (SCTP_EVENT_WRITE | SCTP_EVENT_ERROR)) != 0;
}

void UserSctpSocket::end_sending() noexcept {
    usrsctp_shutdown(socket_, SHUT_WR);
}

std::uint16_t UserSctpSocket::port() const noexcept {
    sockaddr* addresses = nullptr;
    if (usrsctp_getladdrs(socket_, 0, &addresses) <= 0) {
        return 0;
    }
    // The port stands at the same place in addresses of both families.
    const std::uint16_t port = ntohs(reinterpret_cast<const sockaddr_in*>(addresses)->sin_port);
    usrsctp_freeladdrs(addresses);
    return port;
}

}  // namespace groma

#endif
