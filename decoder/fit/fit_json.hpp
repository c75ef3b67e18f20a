// Fits as JSON (docs/guide/fit.md).
#pragma once

#include <string>

#include "decoder/fit/fit_results.hpp"

namespace groma {

[[nodiscard]] std::string fit_json(const FitResults& results);

}  // namespace groma
