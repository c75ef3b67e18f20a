// The rows of a run that its board has, as CSV in pieces: HttpResponse::more. Text cells are quoted, and no cell begins
// like a formula of a spreadsheet.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "common/page/run_board.hpp"

namespace groma {

/// One flow a piece: first all together, number 0. Flows whose rows the board has not, or no more, are left out.
class RowsCsv {
public:
    /// The board outlives this.
    RowsCsv(const RunBoard& board, const BoardDetail& detail) : board_(&board), entry_(detail.entry) {}

    std::optional<std::string> operator()();

private:
    const RunBoard* board_;
    BoardEntry entry_;
    std::size_t next_ = 0;
};

}  // namespace groma
