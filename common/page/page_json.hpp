// The JSON that a live page asks for (docs/guide/page.md). Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "common/page/run_board.hpp"

namespace groma {

/// The program that the page is of.
struct PageFacts {
    std::string program;  ///< "groma-recv"
    WallTime started{};   ///< tells one process from the next
    bool charts = true;   ///< the library that draws them is installed
};

[[nodiscard]] nlohmann::ordered_json facts_json(const PageFacts& facts);
/// Names, types and meanings of the figures in rows.
[[nodiscard]] nlohmann::ordered_json figure_heads_json();
[[nodiscard]] nlohmann::ordered_json summaries_json(const std::vector<BoardEntry>& entries);
[[nodiscard]] nlohmann::ordered_json detail_json(const BoardDetail& detail);
/// An array for each row, in the order of the figures.
[[nodiscard]] nlohmann::ordered_json history_json(const std::vector<RowFigures>& rows);
/// An array for each flow with rows, with its number before the figures; first all together, number 0.
[[nodiscard]] nlohmann::ordered_json interval_json(const IntervalRow& row);

}  // namespace groma
