// One rank's side of the conversation between rank 0 and all ranks. Never blocks: MPI is called on a thread of its own,
// which a call may hold for ever when a rank is dead.
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
    /// Waits for the call of MPI that is being made: not for use when a rank may be dead.
    ~RankLine();

    /// Throws: RunError when the line has broken.
    void say(int to, const RankMessage& message);

    /// The rank that said it, and what. Throws: RunError, ProtocolError.
    [[nodiscard]] std::optional<std::pair<int, RankMessage>> hear();

    /// Waits until everything that was said is on its way, or `limit` is over.
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
    std::deque<Letter> said_;  ///< to whom, and what
    std::deque<Letter> come_;
    bool idle_ = true;  ///< all that was said is on its way
    bool leaving_ = false;
    std::exception_ptr broken_;
    std::thread thread_;
};

}  // namespace groma
