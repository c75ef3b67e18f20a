// Where repetitions come from: the table of a batch (docs/guide/batch.md), or results of single runs
// (docs/reference/sqlite-schema.md).
#pragma once

#include <string>
#include <vector>

#include "decoder/repetitions/repetitions.hpp"

namespace groma {

/// Results of groma-dec --sqlite; the key is the experiment's name. A run one of whose logs is cut short, damaged, or
/// did not end complete is left out. Figures are the total's. Throws: RunError.
[[nodiscard]] Repetitions read_results_files(const std::vector<std::string>& files);

/// What the arguments name: a folder with batch.sqlite, that file itself, or results. Throws: UsageError, RunError.
[[nodiscard]] Repetitions read_repetitions(const std::vector<std::string>& arguments);

}  // namespace groma
