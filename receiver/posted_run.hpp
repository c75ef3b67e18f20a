// A run that is received, on the board of the receiver's live page (--web): its rows from the counts of its flows, and
// its end. Thread: the control thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/control/messages.hpp"
#include "common/page/run_board.hpp"
#include "common/time/clock.hpp"
#include "receiver/receiving_run.hpp"

namespace groma {

class PostedRun {
public:
    /// Begins now. Board, clock and run outlive this, which is destroyed before the run's flows.
    PostedRun(RunBoard& board, BoardRun about, ReceivingRun& run, Clock& clock);

    /// The row from the last one to now.
    void post_row();
    /// All is over: the last row, and the end. `sent`: as the sender told; empty: it did not.
    void end(const std::string& end, const ReceiverResults& results, const std::vector<SentFlow>& sent);

private:
    [[nodiscard]] IntervalRow row();

    RunBoard& board_;
    ReceivingRun& run_;
    Clock& clock_;
    std::size_t flows_;
    RunNumber number_;
    MonoTime started_;
    MonoTime last_;
    ArrivedSoFar before_{};
    std::vector<ArrivedSoFar> flows_before_{};  ///< in the order of the run
};

/// What a board says of a run before it begins.
[[nodiscard]] BoardRun board_run(const Hello& hello, const ReceivingRun& run, const BoardHost& sender,
                                 const BoardHost& receiver, WallTime now);

}  // namespace groma
