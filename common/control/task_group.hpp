// A group of coroutines. Its owner can wait until all have ended, so that none outlives the objects it uses.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <exception>

#include "common/control/timer.hpp"

namespace groma {

/// Thread: the one of the executor's io_context. Requires: join() has returned before the group is destroyed.
class TaskGroup {
public:
    explicit TaskGroup(boost::asio::any_io_executor executor);

    void spawn(boost::asio::awaitable<void> task);

    /// Returns when no task is left, including tasks spawned meanwhile. Throws: the first exception of a task.
    boost::asio::awaitable<void> join();

    [[nodiscard]] std::size_t running() const { return running_; }

private:
    boost::asio::any_io_executor executor_;
    Condition ended_;  ///< notified when a task ends
    std::size_t running_ = 0;
    std::exception_ptr error_;
};

}  // namespace groma
