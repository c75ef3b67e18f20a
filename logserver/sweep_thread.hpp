// The thread on which a log server makes logs durable, so that a slow disk does not hold up its connections.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "logserver/sync_sweep.hpp"

namespace groma {

class SweepThread final : public Sweeper {
public:
    /// Outcomes are posted to `executor`, whose context is kept from running out of work until then.
    explicit SweepThread(boost::asio::any_io_executor executor);
    /// Waits for the sweep that runs.
    ~SweepThread() override;

    void start(Sweep sweep, LogCatalogue& catalogue, Done done) override;

private:
    void run();

    boost::asio::any_io_executor executor_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::function<void()> next_;
    bool ended_ = false;
    std::thread thread_;
};

}  // namespace groma
