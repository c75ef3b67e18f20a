// The log server: its core and its carriers. All work runs on the thread of run(), except syncing.
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

class WebAccess;

class LogServer {
public:
    /// Listens and opens the store. The clock outlives the server. Throws: UsageError, SystemError, RunError.
    LogServer(LogServerSettings settings, Clock& clock);
    ~LogServer();
    LogServer(const LogServer&) = delete;
    LogServer& operator=(const LogServer&) = delete;

    [[nodiscard]] const std::vector<SocketAddress>& addresses() const;
    [[nodiscard]] std::uint16_t port() const { return addresses().front().port(); }

    /// For another carrier. It works on io()'s thread, begins its conversations at host(), and stops with the server:
    /// `stop` ends all its work on io(), so that run() can return. It outlives the server.
    [[nodiscard]] boost::asio::io_context& io();
    [[nodiscard]] ConversationHost& host();
    /// For other pages; null: no other host may ask for any. The server outlives them.
    [[nodiscard]] WebAccess* access();
    void add_carrier(std::function<void()> stop);

    /// Makes SIGINT and SIGTERM call stop(), and SIGHUP read the keys again, if there are any. A service manager hears
    /// that it is ready, and that it works (Supervision).
    void stop_on_signals();

    /// Serves until stop(). On return all received data is durable, and open logs are marked incomplete.
    void run();

    /// Thread: any.
    void stop();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace groma
