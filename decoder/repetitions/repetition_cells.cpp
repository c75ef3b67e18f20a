#include "decoder/repetitions/repetition_cells.hpp"

#include <cmath>

#include "common/base/plain_text.hpp"
#include "common/sqlite/database_kind.hpp"

namespace groma {

std::string plain_text_at(const SQLite::Statement& row, int column) {
    return plain_text(text_at(row, column), kMaxCellText);
}

void add_figure(RepeatedRun& run, std::string_view name, const SQLite::Column& cell) {
    if (not cell.isNull() and std::isfinite(cell.getDouble())) {
        run.figures[std::string(name)] = cell.getDouble();
    }
}

void add_loss_ratio(RepeatedRun& run) {
    const auto lost = run.figures.find("lost");
    const auto due = run.figures.find("due_packets");
    if (lost != run.figures.end() and due != run.figures.end() and due->second > 0) {
        run.figures["loss_ratio"] = lost->second / due->second;
    }
}

}  // namespace groma
