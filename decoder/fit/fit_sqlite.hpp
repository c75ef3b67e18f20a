// Fits as an SQLite file (docs/guide/fit.md).
#pragma once

#include <filesystem>

#include "decoder/fit/fit_results.hpp"

namespace groma {

/// The file gets its name when it is complete, and replaces an existing one. Throws: RunError, SystemError.
void write_fit_sqlite(const FitResults& results, const std::filesystem::path& file);

}  // namespace groma
