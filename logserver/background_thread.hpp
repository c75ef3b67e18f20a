// The thread on which a log server makes logs durable and reads them again, so that a slow disk does not hold up its
// connections.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "logserver/background.hpp"

namespace groma {

class BackgroundThread final : public Background {
public:
    /// What is to be done afterwards is posted to `executor`, whose context is kept from running out of work until
    /// then.
    explicit BackgroundThread(boost::asio::any_io_executor executor);
    /// Waits for the work that runs.
    ~BackgroundThread() override;

    void run(std::function<void()> work, std::function<void()> done) override;

private:
    void loop();

    boost::asio::any_io_executor executor_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> next_;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace groma
