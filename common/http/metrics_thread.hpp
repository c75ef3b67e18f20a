// A MetricsServer on a thread of its own, for a program without an io_context.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <thread>

#include "common/http/metrics_server.hpp"

namespace groma {

class MetricsThread {
public:
    /// As MetricsServer; serves at once. The clock outlives it. Throws: SystemError.
    MetricsThread(MetricsPage page, Clock& clock);
    MetricsThread(const MetricsThread&) = delete;
    MetricsThread& operator=(const MetricsThread&) = delete;
    ~MetricsThread();

    [[nodiscard]] const std::vector<SocketAddress>& addresses() const { return server_.addresses(); }

private:
    boost::asio::io_context io_{1};
    // Where other hosts may ask, the server has a thread of its own, and asks this one.
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
    MetricsServer server_;
    std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace groma
