// The network between simulated hosts: IPv4 datagrams and connections, over links that lose, delay, copy and reorder
// packets, or carry none. TCP is RFC 9293 as far as programs see it: a stream with a window and retransmission, FIN,
// RST, and the ends of a connection whose other side is gone. There is no congestion control.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/world/kernel.hpp"

namespace groma::world {

struct Address {
    std::uint32_t host = 0;  ///< in host byte order
    std::uint16_t port = 0;

    [[nodiscard]] static Address of(const sockaddr* address, socklen_t size);
    /// Truncated to the available room, as by accept(2).
    void copy_to(sockaddr* address, socklen_t* size) const;
    auto operator<=>(const Address&) const = default;
};

/// One direction of the way from one host to another.
struct Link {
    Nanos delay{std::chrono::microseconds(100)};
    Nanos jitter{0};  ///< up to this much more; packets may overtake one another
    double loss = 0;
    std::uint64_t loses_each = 0;  ///< also every n-th datagram; 0: none
    std::uint64_t datagrams = 0;   ///< that came to it
    double copies = 0;
    bool is_cut = false;
};

class Network;

class Socket : public Description {
public:
    Socket(Network& network, Process& process, int type) : network_(network), process_(process), type_(type) {}
    [[nodiscard]] int type() const noexcept { return type_; }
    [[nodiscard]] Network& network() const noexcept { return network_; }
    [[nodiscard]] Process& process() const noexcept { return process_; }
    /// As SO_ERROR: the pending error, which is reported once.
    int take_error() { return std::exchange(error, 0); }

    Address local;
    Address peer;
    int error = 0;
    std::size_t receive_bytes = 212'992;
    std::size_t send_bytes = 212'992;
    std::map<std::pair<int, int>, std::string> options;   ///< that were set, by level and name
    [[nodiscard]] int option(int level, int name) const;  ///< 0 unless set to a number

private:
    Network& network_;
    Process& process_;
    int type_;
};

class UdpSocket final : public Socket {
public:
    UdpSocket(Network& network, Process& process) : Socket(network, process, SOCK_DGRAM) {}
    void closed() override;
    [[nodiscard]] short events() const override;
    ssize_t read(std::span<const iovec> pieces) override;
    ssize_t write(std::span<const iovec> pieces) override;
    ssize_t send(std::string bytes, const Address& to);

    struct Datagram {
        Address from;
        Address to;
        std::string bytes;
        Nanos arrived{0};               ///< in world time
        std::function<void()> taken{};  ///< to be called when a program has read it
    };
    /// The first of the queue; empty, and errno, if there is none.
    std::optional<Datagram> take(bool only_looks = false);
    void arrive(Datagram datagram);
    std::uint32_t dropped = 0;  ///< SO_RXQ_OVFL

private:
    std::deque<Datagram> queue_;
    std::size_t queued_ = 0;
};

class TcpSocket final : public Socket, public std::enable_shared_from_this<TcpSocket> {
public:
    enum class State : std::uint8_t { fresh, listening, connecting, connected, over };

    TcpSocket(Network& network, Process& process) : Socket(network, process, SOCK_STREAM) {}
    [[nodiscard]] short events() const override;
    ssize_t read(std::span<const iovec> pieces) override;
    ssize_t write(std::span<const iovec> pieces) override;
    void closed() override;

    /// As the calls of these names. Returns: 0, or -1 and errno.
    int listen(int backlog);
    int connect(const Address& to);
    int shutdown(int how);
    /// Null, and errno.
    std::shared_ptr<TcpSocket> accept();
    /// Probes a silent peer. Called after SO_KEEPALIVE was set, or the connection made.
    void keep_alive();
    /// The host lost its power: the peer gets no message.
    void vanish();
    [[nodiscard]] State state() const noexcept { return state_; }
    [[nodiscard]] const std::string& readable() const noexcept { return received_; }
    [[nodiscard]] std::size_t unsent_bytes() const noexcept { return outgoing_.size(); }

    struct Segment {
        Address from;
        Address to;
        std::uint64_t at = 0;  ///< of its first byte in the stream
        std::string bytes{};
        bool syn = false;
        bool fin = false;
        bool rst = false;
        bool is_probe = false;                        ///< of a closed window, or of a silent peer
        std::optional<std::uint64_t> acknowledges{};  ///< up to here
        std::uint64_t window_end = 0;
    };
    void arrive(const Segment& segment);

private:
    friend class Network;

    void reset();
    void end(int with_error);
    void end_if_done();
    void send_syn();
    void accept_syn();
    void acknowledge();
    void push();
    void wait_for_answer();
    void try_later();
    void try_again();
    struct KeepAlive {
        Nanos idle;
        Nanos interval;
        int count;
    };
    /// Without options, the defaults of tcp(7).
    [[nodiscard]] KeepAlive patience_with_silence() const;
    void probe_later(Nanos when);
    void probe();
    void take_acknowledgement(std::uint64_t up_to, std::uint64_t window);
    void take_bytes(const Segment& segment);
    void take_connection(const Segment& syn);
    [[nodiscard]] std::uint64_t window_end() const {
        return expected_ + (receive_bytes - std::min(receive_bytes, received_.size()));
    }

    State state_ = State::fresh;
    std::deque<std::shared_ptr<TcpSocket>> backlog_;
    std::size_t most_backlog_ = 0;

    std::string outgoing_;  ///< not acknowledged, from `acknowledged_` on
    std::uint64_t acknowledged_ = 0;
    std::uint64_t sent_ = 0;  ///< up to here it is on its way
    std::uint64_t peer_window_end_ = 0;
    bool shut_ = false;  ///< FIN follows the last byte, and has a sequence number like a byte
    bool fin_acknowledged_ = false;
    bool is_orphan_ = false;   ///< its program closed it
    std::uint32_t tries_ = 0;  ///< of the oldest unacknowledged byte
    Nanos waits_since_{0};
    Nanos next_try_ = Nanos::max();

    std::string received_;
    std::uint64_t expected_ = 0;
    bool peer_shut_ = false;
    bool fin_received_ = false;
    Nanos heard_{0};
    bool probes_ = false;
};

class World;

class Network {
public:
    explicit Network(World& world) : world_(world) {}
    Network(const Network&) = delete;
    Network& operator=(const Network&) = delete;

    [[nodiscard]] Link& link(std::uint32_t from, std::uint32_t to) { return links_[{from, to}]; }
    [[nodiscard]] World& world() noexcept { return world_; }

    /// As bind(2); port 0: a free one. Returns: 0, or -1 and errno.
    int bind(const std::shared_ptr<Socket>& socket, Address address);
    void release(const Socket& socket);
    /// Removes a host's connections; their peers get no message.
    void forget(std::uint32_t host);

    void send(const std::shared_ptr<const UdpSocket::Datagram>& datagram);
    void send(const TcpSocket::Segment& segment);

    /// Datagrams from one port to another, as counted on the way.
    struct Datagrams {
        std::uint64_t handed_over = 0;  ///< by its program
        std::uint64_t taken = 0;        ///< by a program, each once
        std::uint64_t copies = 0;       ///< that were taken besides
    };
    std::map<std::pair<Address, Address>, Datagrams> datagrams;  ///< by where they come from and where they go

    struct Counts {
        std::uint64_t lost = 0;
        std::uint64_t copied = 0;
        std::uint64_t sent_again = 0;
    };
    Counts counts;

private:
    friend class TcpSocket;

    /// Calls `deliver` when a packet comes out of the link: never, once or twice.
    void carry(std::uint32_t from, std::uint32_t to, const std::function<void()>& deliver);
    [[nodiscard]] std::shared_ptr<Socket> bound(int type, const Address& to) const;
    [[nodiscard]] std::uint16_t free_port(int type, std::uint32_t host);

    World& world_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Link> links_;
    std::map<std::pair<int, Address>, std::weak_ptr<Socket>> bound_;
    std::map<std::pair<Address, Address>, std::shared_ptr<TcpSocket>> connections_;  ///< by local and peer
};

}  // namespace groma::world
