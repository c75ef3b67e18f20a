// Names of experiments and logs on a log server. A name is never a path; an invalid name from the network is refused,
// not repaired.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace groma {

inline constexpr std::size_t kMaxLogNameBytes = 100;

/// Returns: what is wrong with `name` as the name of a folder or file on a log server, as the end of a sentence ("is
/// empty", "contains '/'", ...); empty if it is valid. Invalid: an empty name, more than kMaxLogNameBytes, a leading
/// '.', '/', '\', characters that plain_text() changes, and bytes that are not UTF-8.
[[nodiscard]] std::string log_name_error(std::string_view name);

/// The folder for all logs of one run: the experiment's name, with invalid characters replaced by '-', and the first 8
/// digits of the run's id. All hosts of the run compute the same name.
[[nodiscard]] std::string experiment_folder(std::string_view experiment, std::string_view run_id);

}  // namespace groma
