// One socket of a log server and the connections on it: any number of shippers (docs/reference/log-udp.md). Answers
// only those that have a connection, except for the two steps of an opening, in which a key may be asked for.
//
// Thread: the io_context's.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>

#include "common/access/access_key.hpp"
#include "common/control/keyed_peers.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/shipping/datagram/datagram_opening.hpp"
#include "common/shipping/datagram/udp_batch.hpp"
#include "logserver/session_turns.hpp"
#include "logserver/tcp_carrier.hpp"
#include "logserver/udp_session.hpp"

namespace groma {

struct UdpCarrierSettings {
    std::size_t max_connections = 1024;  ///< on each address; how many may ship is the host's business
    OpeningLimits opening;
    std::function<void()> stranger = [] {};  ///< called for each datagram that belongs to no connection
    std::function<bool(const SocketAddress& local, const SocketAddress& peer)> needs_key =
        [](const SocketAddress&, const SocketAddress&) { return false; };
    /// Nothing: there is no such key, or it has expired.
    std::function<std::optional<Secret>(const Token& id)> secret_of = [](const Token&) { return std::nullopt; };
    /// Also of one that has expired.
    std::function<std::optional<Grant>(const Token& id)> grant_of = [](const Token&) { return std::nullopt; };
    /// The connection ends with its key, if it is to.
    std::function<void(KeyedPeers::Peer)> end_with_key = [](const KeyedPeers::Peer&) {};
    /// Called for each opening that is refused for its key. `why`: for the operator.
    std::function<void(const SocketAddress& peer, const std::string& why)> turned_away = [](const SocketAddress&,
                                                                                            const std::string&) {};
};

struct UdpCarrierCounts {
    OpeningCounts opening;
    std::uint64_t strangers = 0;     ///< datagrams that belong to no connection
    std::uint64_t not_ours = 0;      ///< datagrams that are none of this protocol
    std::uint64_t forged = 0;        ///< of a connection, but not sealed with its key, or damaged
    std::uint64_t malformed = 0;     ///< rightly sealed nonsense
    std::uint64_t refused = 0;       ///< openings beyond max_connections
    std::uint64_t kernel_drops = 0;  ///< because the socket's buffer was full
    bool operator==(const UdpCarrierCounts&) const = default;
};

class UdpListener {
public:
    /// Serves whenever the io_context runs, which it does not do any more when the listener ends. The surroundings
    /// outlive it.
    UdpListener(FileDescriptor socket, const CarrierSurroundings& surroundings, const UdpCarrierSettings& settings);

    /// Ends all connections, tells the shippers, listens no more.
    void stop();

    [[nodiscard]] UdpCarrierCounts counts() const;

private:
    [[nodiscard]] MonoTime now() const { return surroundings_.clock.now(); }
    void wait_for_datagrams();
    void receive();
    void take(std::size_t index, MonoTime present);
    void take_from_shipper(std::span<const std::byte> datagram, MonoTime present);
    void take_open(const UdpOpen& open, const UdpRoute& route, MonoTime present);
    /// For one connection more; counts if there is none.
    [[nodiscard]] bool has_room();
    [[nodiscard]] std::string why_refused(const UdpOpen& open) const;
    void begin(const DatagramIdentity& identity, std::optional<Grant> grant, const UdpRoute& route, MonoTime present);
    void end_with_key(const Token& key, std::uint64_t id);
    [[nodiscard]] std::optional<MonoTime> serve(std::uint64_t id);
    void retire(const UdpSession& session);
    void send_all(UdpSession& session, MonoTime present);
    void send_to(const UdpRoute& route, std::span<const std::byte> datagram);
    /// What cannot be sent counts as lost on the path; the stream repeats it.
    void flush();
    void limit_datagrams(const UdpRoute* route);

    UdpCarrierSettings settings_;
    const CarrierSurroundings& surroundings_;
    OpeningGuard guard_;
    FileDescriptor socket_;
    std::uint16_t port_;
    boost::asio::posix::stream_descriptor readable_;
    SessionTurns turns_;
    UdpBatch batch_;
    std::unordered_map<std::uint64_t, std::shared_ptr<UdpSession>> sessions_;
    UdpCarrierCounts counts_;  ///< of what is not counted elsewhere, and of sessions that have ended
};

}  // namespace groma
