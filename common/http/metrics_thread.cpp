#include "common/http/metrics_thread.hpp"

#include <boost/asio/post.hpp>
#include <utility>

#include "common/os/process.hpp"

namespace groma {

MetricsThread::MetricsThread(MetricsPage page, Clock& clock) : server_(io_, std::move(page), clock) {
    server_.start();
    thread_ = std::thread([this] {
        set_thread_name("groma-metrics");
        io_.run();
    });
}

MetricsThread::~MetricsThread() {
    boost::asio::post(io_, [this] {
        server_.stop();
        work_.reset();
    });
    thread_.join();
}

}  // namespace groma
