// Summaries of repetitions, for people and for programs (docs/guide/batch.md).
#pragma once

#include <filesystem>
#include <string>

#include "decoder/repetitions/repetitions.hpp"

namespace groma {

/// A table for each group; at the end the runs that were left out, with the reasons.
[[nodiscard]] std::string repetition_text(const RepetitionSummary& summary);

/// A line for each group and figure (RFC 4180). Unknown values are empty.
[[nodiscard]] std::string repetition_csv(const RepetitionSummary& summary);

/// One object. Unknown values are null. Ends with a line end.
[[nodiscard]] std::string repetition_json(const RepetitionSummary& summary);

/// An existing file is replaced when the new one is complete. Throws: SystemError, RunError.
void write_repetition_tables(const RepetitionSummary& summary, const std::filesystem::path& file);

}  // namespace groma
