// Lists of processor cores as users write them: "2" or "0,2-3".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace groma {

/// Returns: the cores, ascending, without duplicates. Throws: UsageError for anything else, and for numbers above 8191.
[[nodiscard]] std::vector<unsigned> parse_cores(std::string_view text);

/// The inverse of parse_cores(): "0,2-3".
[[nodiscard]] std::string cores_to_string(const std::vector<unsigned>& cores);

/// "N" from 1 to 256, or "auto". Returns: 0 for "auto". Throws: UsageError.
[[nodiscard]] unsigned parse_threads(std::string_view text);

}  // namespace groma
