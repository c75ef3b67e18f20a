#include "common/control/task_group.hpp"

#include <boost/asio/co_spawn.hpp>
#include <utility>

namespace groma {

namespace asio = boost::asio;

TaskGroup::TaskGroup(asio::any_io_executor executor) : executor_(std::move(executor)), ended_(executor_) {}

void TaskGroup::spawn(asio::awaitable<void> task) {
    ++running_;
    asio::co_spawn(executor_, std::move(task), [this](std::exception_ptr error) {
        --running_;
        if (not error_) {
            error_ = std::move(error);
        }
        ended_.notify();
    });
}

asio::awaitable<void> TaskGroup::join() {
    while (running_ > 0) {
        co_await ended_.wait();
    }
    if (error_) {
        std::rethrow_exception(std::exchange(error_, nullptr));
    }
}

}  // namespace groma
