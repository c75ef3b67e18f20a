// How threads are to run, as users write it: their cores ("2", "0,2-3"), their number, whether in real time.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "common/os/scheduling.hpp"

namespace groma {

/// Returns: the cores, ascending, without duplicates. Throws: UsageError for anything else, and for numbers above 8191.
[[nodiscard]] std::vector<unsigned> parse_cores(std::string_view text);

/// The inverse of parse_cores(): "0,2-3".
[[nodiscard]] std::string cores_to_string(const std::vector<unsigned>& cores);

/// "N" from 1 to 256, or "auto". Returns: 0 for "auto". Throws: UsageError.
[[nodiscard]] unsigned parse_threads(std::string_view text);

/// "auto", "on" or "off". Throws: UsageError.
[[nodiscard]] Realtime parse_realtime(std::string_view text);
[[nodiscard]] std::string_view to_string(Realtime realtime);

}  // namespace groma
