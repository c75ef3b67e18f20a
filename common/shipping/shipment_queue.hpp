// Pieces of a log that the log server has not acknowledged, between two threads: the log thread puts them in and
// closes, the shipping thread sends, drops what is acknowledged, and goes back when a connection broke. Bounded in
// bytes.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "common/log/running_hash.hpp"
#include "common/os/wakeup.hpp"
#include "common/time/instant.hpp"

namespace groma {

class ShipmentQueue {
public:
    /// Throws: SystemError when the kernel gives no event descriptor.
    explicit ShipmentQueue(std::size_t limit_bytes);

    // Thread: log.

    /// Copies a piece. Blocks while more than the limit waits. Throws: what fail() was given.
    void push(std::span<const std::byte> bytes);
    /// There will be no more pieces: returns when the server has confirmed them all. Throws: what fail() was given.
    void close();
    /// Gives up: nothing more will be shipped.
    void abandon();

    // Thread: shipping.

    /// The next frame to send (pieces, then the closing frame), if there is one. Its bytes live until acknowledge() or
    /// resume_at() says that the server has it.
    [[nodiscard]] std::optional<std::span<const std::byte>> next_to_send();
    /// The frame that next_to_send() gave is with the kernel.
    void sent();
    /// The server has the first `pieces` pieces on disk. Returns: false when it cannot have: it is lying.
    [[nodiscard]] bool acknowledge(std::uint64_t pieces);
    /// On a new connection: as acknowledge(), and all other pieces are sent (again) from there on.
    [[nodiscard]] bool resume_at(std::uint64_t pieces);
    /// The server has confirmed the whole log.
    void finish();
    void fail(std::exception_ptr why);

    /// Something is there that the server has not confirmed.
    [[nodiscard]] bool unconfirmed();
    /// Finished, failed or abandoned.
    [[nodiscard]] bool over();
    /// Sleeps until something is unconfirmed or all is over.
    void wait_for_work();
    /// Sleeps for `span`, less when all is over.
    void pause(Nanos span);
    [[nodiscard]] std::size_t waiting_bytes();

    /// Becomes readable when the other thread changed something; clear_wake() before looking.
    [[nodiscard]] int wake_fd() const { return wake_.fd(); }
    void clear_wake() noexcept { wake_.clear(); }

private:
    enum class End : std::uint8_t { open, closing, finished, failed, abandoned };

    [[nodiscard]] bool over_locked() const { return end_ > End::closing; }
    [[nodiscard]] bool drop_until(std::uint64_t pieces, std::uint64_t most);
    void conclude(End end);

    const std::size_t limit_bytes_;
    Wakeup wake_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::vector<std::byte>> frames_;  ///< of the pieces first_, first_ + 1, ...
    std::size_t waiting_bytes_ = 0;
    std::uint64_t first_ = 0;
    std::uint64_t unsent_ = 0;  ///< number of the first piece that is not sent
    bool close_sent_ = false;
    std::vector<std::byte> close_frame_;
    End end_ = End::open;
    std::exception_ptr failure_;
    RunningHash hash_;
    std::uint64_t bytes_ = 0;
};

}  // namespace groma
