#include "logserver/sweep_thread.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <memory>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

namespace asio = boost::asio;

SweepThread::SweepThread(asio::any_io_executor executor) : executor_(std::move(executor)), thread_([this] { run(); }) {}

SweepThread::~SweepThread() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void SweepThread::start(Sweep sweep, LogCatalogue& catalogue, Done done) {
    // Shared because std::function copies; there is one owner at a time.
    auto owned = std::make_shared<Sweep>(std::move(sweep));
    auto work = asio::make_work_guard(executor_);
    const std::lock_guard lock(mutex_);
    check(not next_, "a sweep was started while another one runs");
    next_ = [this, owned, &catalogue, done = std::move(done), work] {
        asio::post(executor_, [done, outcomes = run_sweep(*owned, catalogue)]() mutable { done(std::move(outcomes)); });
    };
    changed_.notify_one();
}

void SweepThread::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return ended_ or next_; });
        if (ended_) {
            return;
        }
        const auto sweep = std::exchange(next_, nullptr);
        lock.unlock();
        sweep();
        lock.lock();
    }
}

}  // namespace groma
