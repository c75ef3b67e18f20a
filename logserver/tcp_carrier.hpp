// The TCP carrier of a log server: accepts connections and transfers their frames.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "common/control/connection_gate.hpp"
#include "common/control/entrance.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/time/clock.hpp"
#include "logserver/conversation.hpp"
#include "logserver/listeners.hpp"
#include "logserver/log_server_settings.hpp"

namespace groma {

class TcpSession;

/// The environment of a carrier. All outlive it.
struct CarrierSurroundings {
    boost::asio::io_context& io;
    ConversationHost& host;
    Clock& clock;
    const LogServerTimes& times;
    std::size_t max_connections;  ///< including those of refused shippers, which end soon
    std::function<void(const std::string&)> report;
};

class TcpCarrier {
public:
    /// Listens, and accepts once the io_context runs. The entrance outlives the carrier. Throws: UsageError,
    /// SystemError.
    TcpCarrier(const ListenOptions& listen, Entrance& entrance, CarrierSurroundings surroundings);
    ~TcpCarrier();
    TcpCarrier(const TcpCarrier&) = delete;
    TcpCarrier& operator=(const TcpCarrier&) = delete;

    [[nodiscard]] const std::vector<SocketAddress>& addresses() const { return addresses_; }

    /// Stops accepting and closes all connections.
    void stop();

private:
    boost::asio::awaitable<void> serve(Caller caller);

    Entrance& entrance_;
    CarrierSurroundings surroundings_;
    std::vector<SocketAddress> addresses_;
    std::vector<boost::asio::ip::tcp::acceptor> acceptors_;
    ConnectionGate gate_;
    std::set<TcpSession*> sessions_;
};

}  // namespace groma
