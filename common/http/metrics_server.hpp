// The page of a program's metrics: http://localhost:PORT/metrics (docs/guide/monitoring.md).
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/http/http_server.hpp"
#include "common/metrics/exposition.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/time/clock.hpp"

namespace groma {

inline constexpr std::string_view kMetricsValue = "[ADDRESS:]PORT";
inline constexpr std::string_view kMetricsHelp =
    "answer http://localhost:PORT/metrics with metrics for Prometheus (OpenMetrics); an ADDRESS that other hosts reach "
    "needs --web-cert, --web-key and tokens (default: 127.0.0.1 and ::1)";
inline constexpr std::string_view kMetricsMore =
    "With a PORT of 0 the kernel chooses, and the choice is printed. docs/reference/openmetrics.md has all metrics. "
    "Over loopback they go in clear to any program of this host. Other hosts ask for https://HOST:PORT/metrics, and "
    "prove a token.";

/// What --metrics names, for listen_all(): port 0 is one that the kernel chooses. Throws: UsageError for what is no
/// port or address.
[[nodiscard]] std::vector<SocketAddress> parse_metrics_address(std::string_view text);

struct MetricsPage {
    std::vector<SocketAddress> listen;
    std::string_view program;     ///< "groma-recv"
    WebAccess* access = nullptr;  ///< as HttpServerOptions have it
    /// Adds the program's families to those of its process. Thread: the io_context's.
    std::function<void(Exposition&)> give;
    /// Takes a line for the operator.
    std::function<void(const std::string&)> say = [](const std::string&) {};
};

/// Where other hosts may ask, a thread of its own answers: what strangers have it compute for TLS delays nothing that
/// the io_context does, such as answers to clock probes. Thread: the io_context's.
class MetricsServer {
public:
    /// As HttpServer. Says where the page is.
    MetricsServer(boost::asio::io_context& io, MetricsPage page, Clock& clock);
    MetricsServer(const MetricsServer&) = delete;
    MetricsServer& operator=(const MetricsServer&) = delete;
    ~MetricsServer();

    [[nodiscard]] const std::vector<SocketAddress>& addresses() const { return http_.addresses(); }
    void start();
    void stop();

private:
    struct OwnThread;

    std::unique_ptr<OwnThread> own_;  ///< null: only programs of this host may ask
    HttpServer http_;
};

}  // namespace groma
