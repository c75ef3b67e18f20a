// Fits as text for people (docs/guide/fit.md).
#pragma once

#include <string>

#include "decoder/fit/fit_options.hpp"
#include "decoder/fit/fit_results.hpp"

namespace groma {

[[nodiscard]] std::string fit_text(const FitResults& results, const FitOptions& options);

}  // namespace groma
