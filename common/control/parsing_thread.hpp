// Parses long messages beside the thread that serves everyone, so that no session waits for the message of another.
// One thread; of those that wait the shortest comes first, but no one is overtaken for ever: each message waits for no
// more bytes of others than it has itself from each of them, and for the one that is being parsed.
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

/// Who is next when all ask for work of different sizes (self-clocked fair queueing, Golestani 1994, each job a flow
/// of its own). Pure.
class FairTurns {
public:
    using Work = std::function<void()>;

    void add(std::uint64_t size, Work work) { waiting_.emplace(now_ + size, std::move(work)); }
    /// Requires: not empty().
    [[nodiscard]] Work take();
    [[nodiscard]] bool empty() const { return waiting_.empty(); }

private:
    std::multimap<std::uint64_t, Work> waiting_;  ///< by virtual time of their end; equal ones in their order
    std::uint64_t now_ = 0;                       ///< the virtual time: the end of the last one taken
};

class ParsingThread {
public:
    ParsingThread() = default;
    ParsingThread(const ParsingThread&) = delete;
    ParsingThread& operator=(const ParsingThread&) = delete;
    /// Ends all that still waits. The coroutines that wait for it are alive, and never resumed.
    ~ParsingThread();

    /// Calls `work` on the thread, which touches nothing else meanwhile. Returns or throws what it does, on the
    /// executor of the caller. `size`: of the message.
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
        while (not over) {  // NOLINT(bugprone-infinite-loop): what is posted above ends it
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
