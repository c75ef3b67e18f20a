// A small HTTP/1.1 server on an io_context. No input of one connection hurts another: requests are short and have no
// body, each has to come and be answered in time, and there are few connections. If another one comes, the one that has
// been idle longest is closed. Answers that come in pieces (HttpResponse::more) have no end in time, but each piece
// has: who does not read it is left.
//
// From other hosts it is asked over TLS, by who proves a token (WebAccess). Those who have not yet share places of
// their own, for which a host that has most of them gives up its oldest.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/http/http_routes.hpp"
#include "common/http/web_access.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/time/clock.hpp"

namespace groma {

struct HttpLimits {
    std::size_t connections = 16;
    std::size_t strangers = 64;                ///< connections from other hosts besides, which have proved no token
    std::size_t header_bytes = 8192;           ///< of a request: its line and its fields
    Nanos request = std::chrono::seconds(10);  ///< from its first byte to its last, and as long for the answer
    Nanos idle = std::chrono::minutes(5);      ///< between two requests of a connection, and before the first
    Nanos farewell = std::chrono::seconds(1);  ///< for a peer to read the last answer
    std::size_t streams = 8;                   ///< answers with `more` at a time; another one ends the oldest
    Nanos stream_pause = std::chrono::milliseconds(100);  ///< before they are asked again
    Nanos heartbeat = std::chrono::seconds(10);           ///< of an answer without a piece
};

struct HttpServerOptions {
    std::vector<SocketAddress> listen;  ///< as for listen_all()
    std::string_view advice;            ///< what to do if another program has the port
    HttpRoutes routes;
    HttpLimits limits{};
    WebAccess* access = nullptr;  ///< needed where other hosts can ask, which it outlives; otherwise not used
    WebScope scope = WebScope::metrics;
    /// Takes a line for the operator.
    std::function<void(const std::string&)> say = [](const std::string&) {};
};

/// Thread: the io_context's.
class HttpServer {
public:
    /// Listens. The io_context and the clock outlive the server. Requires: access where other hosts can ask. Throws:
    /// SystemError.
    HttpServer(boost::asio::io_context& io, HttpServerOptions options, Clock& clock);
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;
    /// Requires: the io_context does not run any more, or stop() was called and it has run out of the server's work.
    ~HttpServer();

    [[nodiscard]] const std::vector<SocketAddress>& addresses() const;

    /// Serves from now on, until stop(). Call once.
    void start();

    /// Closes all connections.
    void stop();

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
