// The intervals of an experiment, from the lines that groma-dec --follow --jsonl prints of its logs
// (docs/reference/decoder-output.md). Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/figures/interval_row.hpp"

namespace groma {

class LiveRows {
public:
    /// What is no line of a row is passed over, and so is a row of a log that it had: a program that begins again reads
    /// the logs from their start.
    void add(std::string_view line);

    /// The intervals that are over: every log has one that is younger, or some log one that is much younger. What comes
    /// late for one is in the next.
    [[nodiscard]] std::vector<IntervalRow> take_settled();
    /// All that are left.
    [[nodiscard]] std::vector<IntervalRow> take_rest();

private:
    [[nodiscard]] IntervalRow take_first();

    std::map<std::int64_t, RowFigures> rows_;       ///< by their start, ns
    std::map<std::string, std::int64_t> youngest_;  ///< of each log
    std::map<std::string, std::uint64_t> missing_;  ///< so far, in each log
    std::int64_t taken_ = -1;                       ///< the start of the last one
};

}  // namespace groma
