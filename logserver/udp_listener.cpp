#include "logserver/udp_listener.hpp"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "common/access/random_secret.hpp"
#include "common/net/socket/socket.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

// Batches taken before others on the thread have their turn.
constexpr int kMostBatches = 16;
// What paths of IPv4 carry whatever they are (RFC 1122, 3.3.2), less IP and UDP.
constexpr std::size_t kSmallDatagram = 548;
constexpr std::size_t kServerSendBuffer = 64U << 10U;

SocketAddress address_of(const UdpRoute& route) {
    return {reinterpret_cast<const sockaddr*>(&route.peer), route.peer_size};
}

OpeningPeer peer_of(const UdpRoute& route) {
    return {host_key(route.peer), address_of(route).port()};
}

/// The address of this host that the datagram was sent to.
SocketAddress local_of(const UdpRoute& route, std::uint16_t port) {
    if (route.peer.ss_family == AF_INET6) {
        sockaddr_in6 ipv6{};
        ipv6.sin6_family = AF_INET6;
        ipv6.sin6_port = htons(port);
        ipv6.sin6_addr = route.local6.ipi6_addr;
        return {reinterpret_cast<const sockaddr*>(&ipv6), sizeof ipv6};
    }
    sockaddr_in ipv4{};
    ipv4.sin_family = AF_INET;
    ipv4.sin_port = htons(port);
    ipv4.sin_addr = route.local4.ipi_spec_dst;
    return {reinterpret_cast<const sockaddr*>(&ipv4), sizeof ipv4};
}

/// Throws, before the first shipper comes, where OpenSSL does not offer what its openings take.
OpeningGuard guard_of(const OpeningLimits& limits, MonoTime now) {
    static_cast<void>(AgreementKey(Secret()));
    static_cast<void>(DatagramCipher(Secret()));
    return {&random_secret, limits, now};
}

}  // namespace

UdpListener::UdpListener(FileDescriptor socket, const CarrierSurroundings& surroundings,
                         const UdpCarrierSettings& settings)
    : settings_(settings),
      surroundings_(surroundings),
      guard_(guard_of(settings.opening, now())),
      socket_(std::move(socket)),
      port_(local_address_of(socket_.get()).port()),
      // The descriptor owns a duplicate.
      readable_(surroundings.io, checked("duplicate a socket", ::fcntl(socket_.get(), F_DUPFD_CLOEXEC, 0))),
      turns_(surroundings.io, surroundings.clock,
             {.serve = [this](std::uint64_t id) { return serve(id); }, .end_round = [this] { flush(); }}) {
    wait_for_datagrams();
}

void UdpListener::stop() {
    for (auto& [id, session] : sessions_) {
        session->stop("the log server was stopped");
        send_all(*session, now());
        retire(*session);
    }
    flush();
    sessions_.clear();
    turns_.stop();
    boost::system::error_code ignored;
    readable_.close(ignored);
}

UdpCarrierCounts UdpListener::counts() const {
    UdpCarrierCounts counts = counts_;
    counts.opening = guard_.counts();
    counts.kernel_drops = batch_.kernel_drops();
    for (const auto& [id, session] : sessions_) {
        counts.forged += session->stream().counts().foreign;
        counts.malformed += session->stream().counts().malformed;
    }
    return counts;
}

void UdpListener::wait_for_datagrams() {
    readable_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                         [this](const boost::system::error_code& error) {
                             if (not error) {
                                 receive();
                                 wait_for_datagrams();
                             }
                         });
}

void UdpListener::receive() {
    for (int batches = 0; batches < kMostBatches; ++batches) {
        const std::size_t count = batch_.receive(socket_);
        const MonoTime present = now();
        for (std::size_t i = 0; i < count; ++i) {
            take(i, present);
        }
        if (count < UdpBatch::kDatagrams) {
            break;
        }
        turns_.serve();
    }
    turns_.serve();
}

void UdpListener::take(std::size_t index, MonoTime present) {
    const auto datagram = batch_.received(index);
    const auto kind = batch_.too_long(index) ? std::nullopt : kind_of(datagram);
    if (kind == DatagramKind::from_shipper) {
        take_from_shipper(datagram, present);
    } else if (const auto hello = parse_hello(datagram)) {
        const UdpRoute& route = batch_.route(index);
        send_to(route, serialize(guard_.on_hello(*hello, peer_of(route), present)));
    } else if (const auto open = parse_open(datagram)) {
        take_open(*open, batch_.route(index), present);
    } else {
        ++counts_.not_ours;
    }
}

void UdpListener::take_from_shipper(std::span<const std::byte> datagram, MonoTime present) {
    const auto id = connection_of(datagram);
    const auto found = id ? sessions_.find(*id) : sessions_.end();
    if (found == sessions_.end()) {
        ++counts_.strangers;
        settings_.stranger();
        return;
    }
    found->second->on_datagram(datagram, present);
    turns_.wake(*id);
}

void UdpListener::take_open(const UdpOpen& open, const UdpRoute& route, MonoTime present) {
    const OpeningRules rules{
        .needs_key = [&] { return settings_.needs_key(local_of(route, port_), address_of(route)); },
        .has_room = [&] { return has_room(); },
        .secret_of = settings_.secret_of};
    const auto verdict = guard_.on_open(open, peer_of(route), rules, present);
    if (not verdict) {
        return;
    }
    if (const auto* const refused = std::get_if<UdpRefused>(&verdict->answer)) {
        send_to(route, serialize(*refused));
        settings_.turned_away(address_of(route), why_refused(open));
        return;
    }
    const auto& accepted = std::get<UdpAccepted>(verdict->answer);
    if (verdict->keys) {
        const bool has_key = open.id != Token{};
        std::optional<Grant> grant = has_key ? settings_.grant_of(open.id) : std::nullopt;
        if (has_key and not grant) {
            return;
        }
        begin({false, accepted.connection, *verdict->keys}, std::move(grant), route, present);
        if (has_key) {
            end_with_key(open.id, accepted.connection);
        }
    }
    if (sessions_.contains(accepted.connection)) {  // not for one that has ended since
        send_to(route, serialize(accepted));
    }
}

void UdpListener::end_with_key(const Token& key, std::uint64_t id) {
    const std::shared_ptr<UdpSession>& session = sessions_.at(id);
    settings_.end_with_key({.key = key, .caller = session->caller(), .alive = session, .end = [this, id] {
                                sessions_.at(id)->stop(kKeyIsLost);
                                turns_.wake_soon(id);
                            }});
}

bool UdpListener::has_room() {
    if (sessions_.size() < settings_.max_connections) {
        return true;
    }
    ++counts_.refused;
    return false;
}

std::string UdpListener::why_refused(const UdpOpen& open) const {
    if (open.id == Token{}) {
        return "it has no key";
    }
    const auto grant = settings_.grant_of(open.id);
    if (not grant) {
        return "its key is none of those here";
    }
    return grant->expired(surroundings_.clock.wall_now())
               ? "its key '" + grant->name + "' was good until " + to_string(*grant->last_day)
               : "it did not prove the key '" + grant->name + "'";
}

void UdpListener::begin(const DatagramIdentity& identity, std::optional<Grant> grant, const UdpRoute& route,
                        MonoTime present) {
    const std::uint64_t id = identity.connection;
    const SocketAddress peer = address_of(route);
    UdpSession::Setup setup{.identity = identity,
                            .stream = {},
                            .peer = peer_at(peer, std::move(grant)),
                            .route = route,
                            .times = surroundings_.times,
                            .wake = [this, id] { turns_.wake_soon(id); }};
    setup.stream.wire_overhead = peer.is_ipv4() ? 28 : 48;
    setup.stream.silence = surroundings_.times.unanswered;
    setup.stream.send_buffer = kServerSendBuffer;
    sessions_[id] = std::make_shared<UdpSession>(std::move(setup), surroundings_.host, present);
    turns_.wake(id);
}

std::optional<MonoTime> UdpListener::serve(std::uint64_t id) {
    const auto found = sessions_.find(id);
    if (found == sessions_.end()) {
        return std::nullopt;
    }
    const MonoTime present = now();
    UdpSession& session = *found->second;
    session.tick(present);
    send_all(session, present);
    if (session.over()) {
        flush();  // its route goes with it
        retire(session);
        sessions_.erase(found);
        return std::nullopt;
    }
    return session.next_deadline();
}

void UdpListener::retire(const UdpSession& session) {
    counts_.forged += session.stream().counts().foreign;
    counts_.malformed += session.stream().counts().malformed;
}

void UdpListener::send_all(UdpSession& session, MonoTime present) {
    for (;;) {
        if (batch_.full()) {
            flush();
        }
        const std::size_t bytes = session.next_datagram(batch_.slot(), present);
        if (bytes == 0) {
            return;
        }
        batch_.add(bytes, &session.route());
    }
}

void UdpListener::send_to(const UdpRoute& route, std::span<const std::byte> datagram) {
    if (batch_.full()) {
        flush();
    }
    std::ranges::copy(datagram, batch_.slot().begin());
    batch_.add(datagram.size(), &route);
    flush();  // its route lives in the batch
}

void UdpListener::flush() {
    while (const int error = batch_.waiting() > 0 ? batch_.send(socket_) : 0) {
        if (error == EMSGSIZE) {
            limit_datagrams(batch_.first_route());
        }
        batch_.skip();
    }
}

void UdpListener::limit_datagrams(const UdpRoute* route) {
    for (auto& [id, session] : sessions_) {
        if (&session->route() == route) {
            session->stream().limit_datagram(kSmallDatagram);
            turns_.wake(id);
        }
    }
}

}  // namespace groma
