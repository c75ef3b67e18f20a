#include "common/net/stream/connect_each_inbox.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <tuple>
#include <utility>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/stream/tcp_inbox.hpp"

namespace groma {

namespace {

constexpr int kBacklogOfMany = 128;
/// In one turn, so that a flood of connections cannot keep it for ever.
constexpr int kMostTaken = 64;

FileDescriptor listening(const InboxSpec& spec, std::vector<std::string>& warnings) {
    FileDescriptor listener = bound_inbox_listener(spec, warnings);
    if (::listen(listener.get(), kBacklogOfMany) < 0) {
        const int error = errno;
        throw SystemError("listen on " + local_address_of(listener.get()).to_string(), error,
                          "another program has this port: choose another");
    }
    return listener;
}

}  // namespace

ConnectEachInbox::ConnectEachInbox(const InboxSpec& spec, Clock& clock)
    : spec_(spec), clock_(clock), listener_(listening(spec, warnings_)), local_(local_address_of(listener_.get())) {
    poller_.add(listener_.get(), 0);
}

template <typename Use>
void ConnectEachInbox::for_each_from_first(const Use& use) noexcept {
    for (std::size_t i = 0; i < made_; ++i) {
        Connection& connection = *connections_[(first_ + i) % made_];
        if (connection.socket.valid()) {
            use(connection);
        }
    }
}

std::size_t ConnectEachInbox::drain(std::span<Arrival> out) noexcept {
    ++turn_;
    accept_all();
    first_ = made_ > 0 ? (first_ + 1) % made_ : 0;
    std::size_t filled = 0;
    for_each_from_first([&](Connection& connection) {
        const InboxCounts before = connection.reader.counts();
        connection.arrivals = connection.reader.drain(connection.socket.get(), out.subspan(filled));
        counts_.malformed += connection.reader.counts().malformed - before.malformed;
        counts_.forged += connection.reader.counts().forged - before.forged;
        filled += connection.arrivals;
        if (connection.arrivals > 0) {
            connection.proven = true;
            connection.heard = turn_;
        } else {
            settle(connection);
        }
    });
    return filled;
}

ReflectOutcome ConnectEachInbox::reflect(std::span<const Arrival> arrivals) noexcept {
    ReflectOutcome sum;
    for_each_from_first([&](Connection& connection) {
        const std::size_t own = std::min(arrivals.size(), std::exchange(connection.arrivals, 0));
        if (own > 0 or connection.replies.holding()) {
            const ReflectOutcome outcome = connection.replies.send(connection.socket.get(), arrivals.first(own));
            sum.sent += outcome.sent;
            sum.lost += outcome.lost;
        }
        arrivals = arrivals.subspan(own);
        settle(connection);
    });
    return sum;
}

bool ConnectEachInbox::holding() const noexcept {
    return std::any_of(connections_.begin(), connections_.begin() + static_cast<std::ptrdiff_t>(made_),
                       [](const auto& it) { return it->socket.valid() and it->replies.holding(); });
}

void ConnectEachInbox::settle(Connection& connection) noexcept {
    const bool open = connection.reader.state() == InboxState::open;
    const bool holding = connection.replies.holding();
    if (not open and (not holding or connection.reader.state() == InboxState::broken)) {
        close(connection);
        return;
    }
    const Interest wanted = not open ? Interest::write : holding ? Interest::read_and_write : Interest::read;
    if (wanted != connection.watched) {
        try {
            poller_.change(connection.socket.get(), 0, wanted);
            connection.watched = wanted;
        } catch (const SystemError&) {
            close(connection);
        }
    }
}

void ConnectEachInbox::close(Connection& connection) noexcept {
    connection.socket.reset();
    connection.replies.give_up();
}

void ConnectEachInbox::accept_all() noexcept {
    cannot_accept_ = false;
    for (int i = 0; i < kMostTaken; ++i) {
        sockaddr_storage storage{};
        socklen_t size = sizeof storage;
        auto* const address = reinterpret_cast<sockaddr*>(&storage);
        FileDescriptor socket(::accept4(listener_.get(), address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (not socket.valid()) {
            cannot_accept_ = errno == EMFILE or errno == ENFILE or errno == ENOBUFS or errno == ENOMEM;
            return;
        }
        const SocketAddress peer(address, size);
        if (not peer.same_host(spec_.expected_peer)) {
            ++counts_.foreign;
            continue;
        }
        remote_ = peer;
        take(std::move(socket));
    }
}

void ConnectEachInbox::take(FileDescriptor socket) noexcept {
    Connection* const connection = place();
    if (connection == nullptr) {
        return;
    }
    try {
        poller_.add(socket.get(), 0);
    } catch (const SystemError&) {
        return;
    }
    close(*connection);
    connection->socket = std::move(socket);
    connection->reader.restart();
    connection->replies.restart();
    connection->watched = Interest::read;
    connection->proven = false;
    connection->heard = turn_;
    connection->arrivals = 0;
}

ConnectEachInbox::Connection* ConnectEachInbox::place() noexcept {
    const auto all = std::span(connections_).first(made_);
    const auto free = std::ranges::find_if(all, [](const auto& it) { return not it->socket.valid(); });
    if (free != all.end()) {
        return free->get();
    }
    if (Connection* const another = made_ < kMostConnections ? new_connection() : nullptr) {
        return another;
    }
    const auto oldest =
        std::ranges::min_element(all, {}, [](const auto& it) { return std::tuple(it->proven, it->heard); });
    return oldest == all.end() ? nullptr : oldest->get();
}

ConnectEachInbox::Connection* ConnectEachInbox::new_connection() noexcept {
    try {
        connections_[made_] = std::make_unique<Connection>(spec_, clock_);
        return connections_[made_++].get();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace groma
