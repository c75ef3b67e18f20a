// Takes the rows of a run while it goes on: asks the receivers at each interval, and gives out a row when they have
// answered, or without them when the next one is due.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "common/time/instant.hpp"
#include "sender/run/interval_rows.hpp"

namespace groma {

/// The rows that the user wants.
struct RowsWanted {
    Nanos interval{0};
    std::function<void(const IntervalRow&)> take;
    bool beside_progress = false;  ///< there is a line of progress as well
};

/// What rows ask of the receivers. Neither blocks.
struct RowQuestions {
    std::function<void(const ProgressRequest&)> ask;
    /// The latest answers; empty: not all have answered yet.
    std::function<std::optional<std::vector<ProgressReply>>()> answers;
};

/// Thread: one at a time.
class RunRows {
public:
    RunRows(RowsWanted wanted, RowQuestions questions, const std::vector<FlowSpec>& flows);

    /// The common start is at `start`. Requires: no other call before.
    void start_at(MonoTime start) { start_ = next_ = start; }
    [[nodiscard]] bool each_flow() const { return rows_.each_flow(); }
    /// When to call look() next, for a row.
    [[nodiscard]] MonoTime due() const { return next_; }
    /// `sent`: called when a row is due.
    void look(MonoTime now, const std::function<std::vector<FlowProgress>()>& sent);
    /// The flows have ended at `now`: the row up to there.
    void end(MonoTime now, std::vector<FlowProgress> sent);
    /// The results have come, and all is known.
    void last(MonoTime now, const SendReport& report);

private:
    struct Pending {
        std::uint32_t number = 0;  ///< of the question
        Nanos at{0};
        std::vector<FlowProgress> sent{};
    };

    void ask(Nanos at, std::vector<FlowProgress> sent);
    /// Gives out the row that waits, if it has its answers or waits no longer.
    void give_out(bool waits_no_longer);

    RowsWanted wanted_;
    RowQuestions questions_;
    IntervalRows rows_;
    MonoTime start_{};
    MonoTime next_{};
    std::uint32_t asked_ = 0;
    std::uint32_t used_ = 0;  ///< the latest question whose answers are in a row
    std::optional<Pending> pending_;
};

}  // namespace groma
