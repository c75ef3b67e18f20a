// The two names of a log: its own, and the one that it has until it is whole.
#pragma once

#include <string>

namespace groma {

/// The file of a log while it is being written, or when it was left so.
[[nodiscard]] std::string part_of_log(const std::string& log);
/// The other way round: the log's own name, whichever of the two is given.
[[nodiscard]] std::string log_of_part(const std::string& file);
/// Which of the two this is.
[[nodiscard]] bool is_part_of_log(const std::string& file);

}  // namespace groma
