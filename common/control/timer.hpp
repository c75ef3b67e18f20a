// What those who share an io_context wait with: a Timer until an instant on a Clock, a Condition until it is notified.
// No other file has timers of Asio's.
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

/// One wait at a time: a wait that begins cancels the one before. How far a deadline is ahead is asked once, when the
/// wait begins; a clock that a test moves afterwards changes nothing about it.
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
    /// The same for an instant so far from now.
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
    Clock* clock_;  ///< never null; a timer can be moved
};

/// Wakes all that wait for it, any number of them. Nothing is kept: who waits looks before whether it still has to.
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
