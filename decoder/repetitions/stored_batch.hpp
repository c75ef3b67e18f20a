// The table of a batch (docs/guide/batch.md) as repetitions.
#pragma once

#include <filesystem>

#include "decoder/repetitions/repetitions.hpp"

namespace groma {

/// `file`: DIR/batch.sqlite. Runs that are not complete are left out, with their state and reason.
/// Throws: RunError if it is not such a table, or of another version.
[[nodiscard]] Repetitions read_batch_table(const std::filesystem::path& file);

}  // namespace groma
