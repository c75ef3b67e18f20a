#include "logserver/udp_carrier.hpp"

#include <netinet/in.h>
#include <sys/random.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "common/base/errors.hpp"
#include "common/control/timer.hpp"
#include "common/net/socket/socket.hpp"
#include "common/os/checked.hpp"
#include "common/shipping/datagram/udp_batch.hpp"
#include "logserver/udp_session.hpp"

namespace groma {

namespace asio = boost::asio;

namespace {

constexpr int kReceiveBuffer = 8 << 20;
constexpr int kSendBuffer = 2 << 20;
// Batches taken before others on the thread have their turn.
constexpr int kMostBatches = 16;
// What paths of IPv4 carry whatever they are (RFC 1122, 3.3.2), less IP and UDP.
constexpr std::size_t kSmallDatagram = 548;

FileDescriptor bind_to(const SocketAddress& address) {
    FileDescriptor socket = open_socket(address, SOCK_DGRAM);
    ask_for_buffer(socket, SO_RCVBUF, kReceiveBuffer);
    ask_for_buffer(socket, SO_SNDBUF, kSendBuffer);
    set_option(socket, SOL_SOCKET, SO_RXQ_OVFL, 1, "SO_RXQ_OVFL");
    if (address.family() == AF_INET6) {
        set_option(socket, IPPROTO_IPV6, IPV6_RECVPKTINFO, 1, "IPV6_RECVPKTINFO");
        set_option(socket, IPPROTO_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_DO, "IPV6_MTU_DISCOVER");
    } else {
        set_option(socket, IPPROTO_IP, IP_PKTINFO, 1, "IP_PKTINFO");
        set_option(socket, IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO, "IP_MTU_DISCOVER");
    }
    bind_socket(socket, address, address);
    return socket;
}

MacKey random_key() {
    MacKey key;
    checked("get random numbers from the kernel", ::getrandom(&key, sizeof key, 0));
    return key;
}

SocketAddress address_of(const UdpRoute& route) {
    return {reinterpret_cast<const sockaddr*>(&route.peer), route.peer_size};
}

}  // namespace

std::vector<FileDescriptor> open_udp_sockets(const std::vector<SocketAddress>& addresses) {
    std::vector<FileDescriptor> sockets;
    sockets.reserve(addresses.size());
    for (const SocketAddress& address : addresses) {
        sockets.push_back(bind_to(address));
    }
    return sockets;
}

/// One socket and the connections on it.
class UdpCarrier::Listener {
public:
    Listener(FileDescriptor socket, const CarrierSurroundings& surroundings, const UdpCarrierSettings& settings)
        : settings_(settings),
          surroundings_(surroundings),
          guard_(random_key(), settings.opening, now()),
          socket_(std::move(socket)),
          // The descriptor owns a duplicate.
          readable_(surroundings.io, checked("duplicate a socket", ::fcntl(socket_.get(), F_DUPFD_CLOEXEC, 0))),
          timer_(surroundings.io.get_executor(), surroundings.clock) {
        wait_for_datagrams();
    }

    void stop() {
        for (auto& [id, held] : sessions_) {
            held.session->stop("the log server was stopped");
            send_all(*held.session, now());
            retire(*held.session);
        }
        flush();
        sessions_.clear();
        deadlines_.clear();
        boost::system::error_code ignored;
        readable_.close(ignored);
        timer_.cancel();
    }

    void add_to(UdpCarrierCounts& sum) const {
        sum.opening.hellos += guard_.counts().hellos;
        sum.opening.accepted += guard_.counts().accepted;
        sum.opening.repeats += guard_.counts().repeats;
        sum.opening.bad_tokens += guard_.counts().bad_tokens;
        sum.opening.too_many += guard_.counts().too_many;
        sum.strangers += counts_.strangers;
        sum.not_ours += counts_.not_ours;
        sum.forged += counts_.forged;
        sum.malformed += counts_.malformed;
        sum.refused += counts_.refused;
        sum.kernel_drops += batch_.kernel_drops();
        for (const auto& [id, held] : sessions_) {
            sum.forged += held.session->stream().counts().foreign;
            sum.malformed += held.session->stream().counts().malformed;
        }
    }

private:
    [[nodiscard]] MonoTime now() const { return surroundings_.clock.now(); }

    struct Held {
        std::unique_ptr<UdpSession> session;
        MonoTime due = MonoTime::max();
    };

    void wait_for_datagrams() {
        readable_.async_wait(asio::posix::stream_descriptor::wait_read, [this](const boost::system::error_code& error) {
            if (not error) {
                receive();
                wait_for_datagrams();
            }
        });
    }

    void receive() {
        for (int batches = 0; batches < kMostBatches; ++batches) {
            const std::size_t count = batch_.receive(socket_);
            const MonoTime present = now();
            for (std::size_t i = 0; i < count; ++i) {
                take(i, present);
            }
            if (count < UdpBatch::kDatagrams) {
                break;
            }
            serve_woken();
        }
        serve_woken();
    }

    void take(std::size_t index, MonoTime present) {
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

    void take_from_shipper(std::span<const std::byte> datagram, MonoTime present) {
        const auto id = connection_of(datagram);
        const auto found = id ? sessions_.find(*id) : sessions_.end();
        if (found == sessions_.end()) {
            ++counts_.strangers;
            settings_.stranger();
            return;
        }
        found->second.session->on_datagram(datagram, present);
        woken_.insert(*id);
    }

    void take_open(const UdpOpen& open, const UdpRoute& route, MonoTime present) {
        if (sessions_.size() >= settings_.max_connections) {
            ++counts_.refused;
            return;
        }
        const auto verdict = guard_.on_open(open, peer_of(route), present);
        if (not verdict) {
            return;
        }
        const std::uint64_t id = verdict->accepted.connection;
        if (verdict->is_new) {
            begin(verdict->accepted, route, present);
        }
        if (sessions_.contains(id)) {  // not for one that has ended since
            send_to(route, serialize(verdict->accepted));
        }
    }

    void begin(const UdpAccepted& accepted, const UdpRoute& route, MonoTime present) {
        const std::uint64_t id = accepted.connection;
        const SocketAddress peer = address_of(route);
        UdpSession::Setup setup{.identity = {false, id, accepted.key},
                                .stream = {},
                                .peer = {.name = peer.to_string(), .host = peer.host_to_string()},
                                .route = route,
                                .times = surroundings_.times,
                                .wake = [this, id] { wake(id); }};
        setup.stream.wire_overhead = peer.is_ipv4() ? 28 : 48;
        setup.stream.silence = surroundings_.times.unanswered;
        setup.stream.send_buffer = kServerSendBuffer;
        sessions_[id] = {std::make_unique<UdpSession>(std::move(setup), surroundings_.host, present), MonoTime::max()};
        woken_.insert(id);
    }

    /// A session has something to send, perhaps from within another's turn: it is served later.
    void wake(std::uint64_t id) {
        woken_.insert(id);
        if (not is_serve_posted_) {
            is_serve_posted_ = true;
            asio::post(surroundings_.io, [this] {
                is_serve_posted_ = false;
                serve_woken();
            });
        }
    }

    void serve_woken() {
        // Who is woken meanwhile has its turn after those of other carriers: see wake().
        for (const std::uint64_t id : std::exchange(woken_, {})) {
            serve(id);
        }
        flush();
        set_timer();
    }

    void serve(std::uint64_t id) {
        const auto found = sessions_.find(id);
        if (found == sessions_.end()) {
            return;
        }
        const MonoTime present = now();
        UdpSession& session = *found->second.session;
        session.tick(present);
        send_all(session, present);
        deadlines_.erase({found->second.due, id});
        if (session.over()) {
            flush();  // its route goes with it
            retire(session);
            sessions_.erase(found);
            return;
        }
        found->second.due = session.next_deadline();
        deadlines_.insert({found->second.due, id});
    }

    void retire(const UdpSession& session) {
        counts_.forged += session.stream().counts().foreign;
        counts_.malformed += session.stream().counts().malformed;
    }

    void send_all(UdpSession& session, MonoTime present) {
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

    void send_to(const UdpRoute& route, std::span<const std::byte> datagram) {
        if (batch_.full()) {
            flush();
        }
        std::ranges::copy(datagram, batch_.slot().begin());
        batch_.add(datagram.size(), &route);
        flush();  // its route lives in the batch
    }

    /// What cannot be sent is as good as lost on the path, which is nothing new to a stream.
    void flush() {
        while (const int error = batch_.waiting() > 0 ? batch_.send(socket_) : 0) {
            if (error == EMSGSIZE) {
                limit_datagrams(batch_.first_route());
            }
            batch_.skip();
        }
    }

    void limit_datagrams(const UdpRoute* route) {
        for (auto& [id, held] : sessions_) {
            if (&held.session->route() == route) {
                held.session->stream().limit_datagram(kSmallDatagram);
                woken_.insert(id);
            }
        }
    }

    void set_timer() {
        const MonoTime next = deadlines_.empty() ? MonoTime::max() : deadlines_.begin()->first;
        if (next == timer_due_) {
            return;
        }
        timer_due_ = next;
        if (next == MonoTime::max()) {
            timer_.cancel();
            return;
        }
        timer_.call_at(std::min(next, now() + std::chrono::minutes(1)), [this] {
            timer_due_ = MonoTime::min();
            wake_those_due();
            serve_woken();
        });
    }

    void wake_those_due() {
        const MonoTime present = now();
        for (auto at = deadlines_.begin(); at != deadlines_.end() and at->first <= present; ++at) {
            woken_.insert(at->second);
        }
    }

    static OpeningPeer peer_of(const UdpRoute& route) { return {host_key(route.peer), address_of(route).port()}; }

    static constexpr std::size_t kServerSendBuffer = 64U << 10U;

    UdpCarrierSettings settings_;
    const CarrierSurroundings& surroundings_;
    OpeningGuard guard_;
    FileDescriptor socket_;
    asio::posix::stream_descriptor readable_;
    Timer timer_;
    MonoTime timer_due_ = MonoTime::min();
    UdpBatch batch_;
    std::unordered_map<std::uint64_t, Held> sessions_;
    std::set<std::pair<MonoTime, std::uint64_t>> deadlines_;
    std::unordered_set<std::uint64_t> woken_;
    bool is_serve_posted_ = false;
    UdpCarrierCounts counts_;
};

UdpCarrier::UdpCarrier(std::vector<FileDescriptor> sockets, CarrierSurroundings surroundings,
                       const UdpCarrierSettings& settings)
    : surroundings_(std::move(surroundings)) {
    for (FileDescriptor& socket : sockets) {
        listeners_.push_back(std::make_unique<Listener>(std::move(socket), surroundings_, settings));
    }
}

UdpCarrier::~UdpCarrier() = default;

void UdpCarrier::stop() {
    for (const auto& listener : listeners_) {
        listener->stop();
    }
    if (counts() != UdpCarrierCounts{}) {
        surroundings_.report(to_string(counts()));
    }
}

UdpCarrierCounts UdpCarrier::counts() const {
    UdpCarrierCounts sum;
    for (const auto& listener : listeners_) {
        listener->add_to(sum);
    }
    return sum;
}

std::string to_string(const UdpCarrierCounts& counts) {
    std::string text;
    const auto add = [&](std::uint64_t count, const char* what) {
        if (count > 0) {
            text += (text.empty() ? "UDP: " : ", ") + std::to_string(count) + " " + what;
        }
    };
    add(counts.opening.accepted, "connections");
    add(counts.opening.bad_tokens, "openings with a token that is old or not ours dropped");
    add(counts.opening.too_many + counts.refused, "openings beyond the limits dropped");
    add(counts.opening.repeats, "openings repeated");
    add(counts.strangers, "datagrams of strangers dropped");
    add(counts.not_ours, "datagrams that are none of this protocol dropped");
    add(counts.forged, "datagrams damaged or forged");
    add(counts.malformed, "datagrams malformed");
    add(counts.kernel_drops, "datagrams dropped by the kernel because the socket's buffer was full");
    return text;
}

}  // namespace groma
