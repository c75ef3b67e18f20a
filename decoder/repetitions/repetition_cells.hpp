// Cells of a database as figures and names of a run. Databases are untrusted.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "decoder/repetitions/repetitions.hpp"

namespace groma {

inline constexpr std::size_t kMaxCellText = 200;

/// Safe to show, and cut if long.
[[nodiscard]] std::string plain_text_at(const SQLite::Statement& row, int column);

/// Nothing is added of NULL, or of what is not finite.
void add_figure(RepeatedRun& run, std::string_view name, const SQLite::Column& cell);

/// Of `lost` and `due_packets` (sent, for each receiver); nothing is added where they are unknown, or nothing was due.
void add_loss_ratio(RepeatedRun& run);

}  // namespace groma
