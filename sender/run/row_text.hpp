// The rows of a run (interval_rows.hpp) as text and as JSON lines. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "common/figures/interval_row.hpp"

namespace groma {

/// The text of one row after the other; up to ten flows have lines of their own.
class RowText {
public:
    /// The lines of the next row, each ended by '\n'; before the first one a heading.
    [[nodiscard]] std::string lines(const IntervalRow& row);

private:
    [[nodiscard]] std::string heading(const IntervalRow& row);
    [[nodiscard]] std::string line(std::string_view name, const RowFigures& figures) const;

    bool begun_ = false;
    std::size_t name_width_ = 0;  ///< 0: only all flows together
    bool returns_ = false;        ///< some flow has replies
    bool connects_ = false;       ///< some flow has a connection that tells
};

/// A line of JSON for each flow of the row, then one for all together (docs/reference/rows.md).
[[nodiscard]] std::string row_json(const IntervalRow& row);

}  // namespace groma
