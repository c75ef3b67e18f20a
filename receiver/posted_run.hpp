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

    /// The row from the last one to now, unless the flows have ended.
    void post_row();
    /// Nothing more is sent: the row up to now. What comes from now on is in the last row.
    void flows_ended();
    /// All is over: the last row, and the end. `losses`: of the run; empty: the sender did not tell what it had sent.
    void end(const std::string& end, const ReceiverResults& results, const std::vector<FlowLoss>& losses);

private:
    [[nodiscard]] IntervalRow row();

    RunBoard& board_;
    ReceivingRun& run_;
    Clock& clock_;
    RunNumber number_;
    MonoTime started_;
    MonoTime last_;
    bool flows_ended_ = false;
    ArrivedSoFar before_{};
    std::vector<ArrivedSoFar> flows_before_{};  ///< in the order of the run
};

/// What a board says of a run before it begins.
[[nodiscard]] BoardRun board_run(const Hello& hello, const ReceivingRun& run, const BoardHost& sender,
                                 const BoardHost& receiver, WallTime now);

}  // namespace groma
