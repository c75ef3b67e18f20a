// A run on the board of the sender's live page (--web): its rows while it goes on, and its report at the end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/page/run_board.hpp"
#include "common/time/clock.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/run/run_rows.hpp"

namespace groma {

/// Thread: the run's.
class PostedSend {
public:
    /// Begins now; a run that was not ended has failed. Board and clock outlive this.
    PostedSend(RunBoard& board, const SenderOptions& options, Clock& clock);
    PostedSend(const PostedSend&) = delete;
    PostedSend& operator=(const PostedSend&) = delete;
    ~PostedSend();

    /// The rows that are wanted, and those for the board, which take no other's place. Refers to this object.
    [[nodiscard]] RowsWanted rows(const std::optional<RowsWanted>& wanted);

    /// `json`: as report_json() makes it; empty: there is no report. `failures`: a sentence each.
    void end(const std::string& text, const std::string& json, const std::vector<std::string>& failures);

private:
    RunBoard& board_;
    Clock& clock_;
    RunNumber number_;
};

}  // namespace groma
