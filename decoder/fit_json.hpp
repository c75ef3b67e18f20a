// Fits as JSON (docs/fit.md).
#pragma once

#include <string>

#include "decoder/fit_results.hpp"

namespace groma {

[[nodiscard]] std::string fit_json(const FitResults& results);

}  // namespace groma
