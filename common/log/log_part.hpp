// The two names of a log: its own, and the one until it is complete.
#pragma once

#include <string>

namespace groma {

/// The file of a log while it is being written, or if it was left incomplete.
[[nodiscard]] std::string part_of_log(const std::string& log);
/// The inverse: the log's own name, for either of the two.
[[nodiscard]] std::string log_of_part(const std::string& file);
/// Whether it is the name of an incomplete log.
[[nodiscard]] bool is_part_of_log(const std::string& file);

}  // namespace groma
