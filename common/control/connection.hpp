// A control connection: messages in, messages out, with deadlines, over TCP. Made for Asio coroutines; all calls on one
// connection come from one io_context thread.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <optional>
#include <string>

#include "common/control/messages.hpp"
#include "common/net/socket_address.hpp"

namespace groma {

class ControlConnection {
public:
    explicit ControlConnection(boost::asio::ip::tcp::socket socket);

    /// Throws: SystemError "connect to the receiver at HOST:PORT" with advice (is groma-recv running there?).
    static boost::asio::awaitable<ControlConnection> connect(SocketAddress to, Nanos limit);

    /// Writes one message. Throws: ProtocolError when the peer is gone or does not take it within `kPeerDeadline`.
    boost::asio::awaitable<void> write(const Message& message);

    /// Reads the next message that is no KeepAlive. Any message, KeepAlive included, shows that the peer lives.
    /// Throws: ProtocolError "closed the connection", "was silent for 4 s", or what was wrong with the message.
    boost::asio::awaitable<Message> read();

    /// Reads as read(), but also returns KeepAlive.
    boost::asio::awaitable<Message> read_any();

    void close() noexcept;

    [[nodiscard]] const std::string& peer() const { return peer_; }  ///< "10.0.0.2:9000"
    [[nodiscard]] SocketAddress peer_address() const;
    [[nodiscard]] SocketAddress local_address() const;

private:
    boost::asio::ip::tcp::socket socket_;
    std::string peer_;
};

}  // namespace groma
