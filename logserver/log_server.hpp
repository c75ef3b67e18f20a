// The log server: accepts connections, gives each its session, and keeps two writers from one log. Everything happens
// on the thread that calls run().
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/net/socket_address.hpp"
#include "common/time/clock.hpp"
#include "logserver/listeners.hpp"
#include "logserver/log_session.hpp"

namespace groma {

struct LogServerSettings {
    ListenOptions listen;
    std::filesystem::path directory = "groma-logs";
    std::size_t max_sessions = 256;
    std::uint64_t max_log_bytes = 16ULL << 30U;
    SessionLimits limits;
    std::function<void(const std::string&)> report;  ///< takes lines for the operator; may be empty
};

class LogServer {
public:
    /// Listens and opens the store. The clock outlives the server. Throws: UsageError, SystemError, RunError.
    LogServer(LogServerSettings settings, Clock& clock);
    ~LogServer();
    LogServer(const LogServer&) = delete;
    LogServer& operator=(const LogServer&) = delete;

    [[nodiscard]] const std::vector<SocketAddress>& addresses() const;
    [[nodiscard]] std::uint16_t port() const { return addresses().front().port(); }

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
