// Fits as an SQLite file (docs/guide/fit.md).
#pragma once

#include <filesystem>

#include "decoder/fit/fit_results.hpp"

namespace groma {

/// The file gets its name when it is whole, and takes the place of one that is there. Throws: RunError, SystemError.
void write_fit_sqlite(const FitResults& results, const std::filesystem::path& file);

}  // namespace groma
