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

/// Passes the lines of the file of this name to `take`, without comments and blanks around them, empty ones left out.
/// Throws: UsageError with file and line for what `take` throws, no lines, or more than kMaxFileValues, and where there
/// are no files; SystemError when the file cannot be read.
void read_value_lines(const NamedFiles& files, std::string_view name,
                      const std::function<void(std::string_view)>& take);

/// Reads the values of the file of this name with `parse_value`, which throws UsageError.
/// Throws: as read_value_lines().
[[nodiscard]] std::vector<double> read_values(const NamedFiles& files, std::string_view name,
                                              const std::function<double(std::string_view)>& parse_value);

}  // namespace groma
