// `groma-log list`: the catalogue of a log server as a table.
#pragma once

#include <filesystem>
#include <string>

namespace groma {

/// A line for each log, complete or not, with the reason. A server may be writing meanwhile.
/// Throws: RunError when there is no catalogue.
[[nodiscard]] std::string list_logs(const std::filesystem::path& directory);

}  // namespace groma
