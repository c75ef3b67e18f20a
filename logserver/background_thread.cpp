#include "logserver/background_thread.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

namespace asio = boost::asio;

BackgroundThread::BackgroundThread(asio::any_io_executor executor)
    : executor_(std::move(executor)), thread_([this] { loop(); }) {}

BackgroundThread::~BackgroundThread() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void BackgroundThread::run(std::function<void()> work, std::function<void()> done) {
    auto guard = asio::make_work_guard(executor_);
    const std::lock_guard lock(mutex_);
    check(not next_, "work was begun while other work runs");
    next_ = [this, work = std::move(work), done = std::move(done), guard] {
        work();
        asio::post(executor_, done);
    };
    changed_.notify_one();
}

void BackgroundThread::loop() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return ended_ or next_; });
        if (ended_) {
            return;
        }
        const auto work = std::exchange(next_, nullptr);
        lock.unlock();
        work();
        lock.lock();
    }
}

}  // namespace groma
