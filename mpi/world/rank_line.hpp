// One rank's messages with rank 0 (at rank 0: with all ranks). Never blocks: MPI runs on its own thread, which may hang
// forever if a rank is dead.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "common/time/clock.hpp"
#include "mpi/world/mpi_post.hpp"
#include "mpi/world/rank_message.hpp"

namespace groma {

/// Thread: its owner's.
class RankLine {
public:
    /// World and clock outlive the line.
    RankLine(MpiWorld& world, Clock& clock);
    RankLine(const RankLine&) = delete;
    RankLine& operator=(const RankLine&) = delete;
    /// Waits for the current MPI call; do not destroy if a rank may be dead.
    ~RankLine();

    /// Throws: RunError if the line is broken.
    void say(int to, const RankMessage& message);

    /// The next message with its rank. Throws: RunError, ProtocolError.
    [[nodiscard]] std::optional<std::pair<int, RankMessage>> hear();

    /// Waits until all messages have left, at most `limit`.
    void flush(std::chrono::milliseconds limit);

private:
    void carry_on() noexcept;
    void carry();
    [[nodiscard]] bool send_said();
    [[nodiscard]] bool take_come();
    void throw_if_broken() const;

    Clock& clock_;
    MpiPost post_;  ///< the thread's
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Letter> said_;  ///< receiver and message
    std::deque<Letter> come_;
    bool idle_ = true;  ///< all messages have left
    bool leaving_ = false;
    std::exception_ptr broken_;
    std::thread thread_;
};

}  // namespace groma
