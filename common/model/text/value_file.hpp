// Files of values for "file:PATH": one value a line, '#' starts a comment, empty lines are skipped.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "common/model/text/named_files.hpp"

namespace groma {

inline constexpr std::size_t kMaxFileValues = 65536;
inline constexpr std::size_t kMaxPathBytes = 1024;

/// Reads the values of the file of this name with `parse_value`, which throws UsageError.
/// Throws: UsageError with file and line for a bad value, no values, or more than kMaxFileValues, and where there are
/// no files; SystemError when the file cannot be read.
[[nodiscard]] std::vector<double> read_values(const NamedFiles& files, std::string_view name,
                                              const std::function<double(std::string_view)>& parse_value);

}  // namespace groma
