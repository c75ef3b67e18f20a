// The log server: its core, the carriers that bring it connections, and the thread that calls run(), on which
// everything but the syncing happens.
#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "common/net/socket/socket_address.hpp"
#include "common/time/clock.hpp"
#include "logserver/conversation.hpp"
#include "logserver/log_server_settings.hpp"

namespace groma {

class LogServer {
public:
    /// Listens and opens the store. The clock outlives the server. Throws: UsageError, SystemError, RunError.
    LogServer(LogServerSettings settings, Clock& clock);
    ~LogServer();
    LogServer(const LogServer&) = delete;
    LogServer& operator=(const LogServer&) = delete;

    [[nodiscard]] const std::vector<SocketAddress>& addresses() const;
    [[nodiscard]] std::uint16_t port() const { return addresses().front().port(); }

    /// For another carrier: it works on io()'s thread, begins its conversations at host(), and is stopped with the
    /// server: `stop` ends whatever it has going on io(), so that run() can return. It outlives the server.
    [[nodiscard]] boost::asio::io_context& io();
    [[nodiscard]] ConversationHost& host();
    void add_carrier(std::function<void()> stop);

    /// SIGINT and SIGTERM call stop() from now on.
    void stop_on_signals();

    /// Serves until stop(): then all logs are durable as far as they came, and called incomplete.
    void run();

    /// Thread: any.
    void stop();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace groma
