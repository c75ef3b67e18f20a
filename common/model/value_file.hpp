// Files of values for "file:PATH": one value a line, '#' starts a comment, empty lines are skipped.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace groma {

/// Reads the values with `parse_value`, which throws UsageError.
/// Throws: UsageError with file and line for a bad value, no values, or more than kMaxFileValues; SystemError when the
/// file cannot be read.
[[nodiscard]] std::vector<double> read_values(const std::filesystem::path& file,
                                              const std::function<double(std::string_view)>& parse_value);

}  // namespace groma
