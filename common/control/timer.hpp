// Waiting on an io_context: a Timer waits until an instant on a Clock, a Condition until it is notified. No other file
// uses Asio's timers.
//
// Thread: the one of the executor's io_context.
#pragma once

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "common/time/clock.hpp"

namespace groma {

/// One wait at a time: a new wait cancels the one before. The time to the deadline is computed once, when the wait
/// begins; moving a test's clock later does not change it.
class Timer {
public:
    /// The clock outlives the timer.
    Timer(const boost::asio::any_io_executor& executor, Clock& clock) : timer_(executor), clock_(&clock) {}

    /// Returns: true at `deadline` or a little later, false when it was cancelled before.
    boost::asio::awaitable<bool> wait(MonoTime deadline) {
        set(deadline);
        const auto [error] = co_await timer_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
        co_return not error;
    }
    /// The same for an instant `span` from now.
    boost::asio::awaitable<bool> pause(Nanos span) { return wait(clock_->now() + span); }

    /// Calls `handler` at `deadline`; never when it is cancelled before.
    template <typename Handler>
    void call_at(MonoTime deadline, Handler handler) {
        set(deadline);
        timer_.async_wait([handler = std::move(handler)](const boost::system::error_code& error) mutable {
            if (not error) {
                handler();
            }
        });
    }
    template <typename Handler>
    void call_after(Nanos span, Handler handler) {
        call_at(clock_->now() + span, std::move(handler));
    }

    /// A wait whose deadline has passed cannot be cancelled any more.
    void cancel() noexcept { timer_.cancel(); }

private:
    void set(MonoTime deadline) { timer_.expires_after(std::max(deadline - clock_->now(), Nanos{0})); }

    boost::asio::steady_timer timer_;
    Clock* clock_;  ///< never null; a pointer so that a timer can be moved
};

/// Wakes all its waiters. Stores no state: check whether to wait before waiting.
class Condition {
public:
    explicit Condition(const boost::asio::any_io_executor& executor)
        : never_(executor, boost::asio::steady_timer::time_point::max()) {}

    boost::asio::awaitable<void> wait() {
        co_await never_.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
    }
    void notify() noexcept { never_.cancel(); }

private:
    boost::asio::steady_timer never_;  ///< does not expire
};

}  // namespace groma
