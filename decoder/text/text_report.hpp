// The results as text for people: the instrument's own error first, then the network's figures.
#pragma once

#include <string>

#include "decoder/results/results.hpp"

namespace groma {

/// Warnings are not in it: they go to standard error.
[[nodiscard]] std::string text_report(const Results& results);

}  // namespace groma
