// Parses long messages on a thread of its own, so that no session waits for another's message. Shorter messages come
// first, but none starves: a message waits for at most its own number of bytes from each other one, and for the one in
// progress.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <type_traits>
#include <utility>

#include "common/control/timer.hpp"

namespace groma {

/// Orders jobs of different sizes (self-clocked fair queueing, Golestani 1994; each job is a flow of its own). Pure.
class FairTurns {
public:
    using Work = std::function<void()>;

    void add(std::uint64_t size, Work work) { waiting_.emplace(now_ + size, std::move(work)); }
    /// Requires: not empty().
    [[nodiscard]] Work take();
    [[nodiscard]] bool empty() const { return waiting_.empty(); }

private:
    std::multimap<std::uint64_t, Work> waiting_;  ///< by virtual end time; equal ones in order of arrival
    std::uint64_t now_ = 0;                       ///< virtual time: the end time of the last job taken
};

class ParsingThread {
public:
    ParsingThread() = default;
    ParsingThread(const ParsingThread&) = delete;
    ParsingThread& operator=(const ParsingThread&) = delete;
    /// Drops the waiting jobs. Their coroutines still exist but never resume.
    ~ParsingThread();

    /// Calls `work` on the thread; nothing else may use its data meanwhile. Returns or throws its result on the
    /// caller's executor. `size`: of the message, in bytes.
    template <typename Work>
    boost::asio::awaitable<std::invoke_result_t<Work&>> run(std::uint64_t size, Work work) {
        const auto executor = co_await boost::asio::this_coro::executor;
        Condition ended(executor);
        std::optional<std::invoke_result_t<Work&>> result;
        std::exception_ptr error;
        bool over = false;
        add(size, [&] {
            try {
                result.emplace(work());
            } catch (...) {
                error = std::current_exception();
            }
            boost::asio::post(executor, [&] {
                over = true;
                ended.notify();
            });
        });
        while (not over) {  // NOLINT(bugprone-infinite-loop): the posted handler ends it
            co_await ended.wait();
        }
        if (error) {
            std::rethrow_exception(error);
        }
        co_return std::move(*result);
    }

private:
    void add(std::uint64_t size, FairTurns::Work work);

    std::mutex mutex_;  ///< guards turns_
    FairTurns turns_;
    boost::asio::thread_pool pool_{1};
};

}  // namespace groma
