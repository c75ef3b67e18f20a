// Names of experiments and logs on a log server. A name is never a path: what arrives from the network and does not
// pass is refused, not repaired.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace groma {

inline constexpr std::size_t kMaxLogNameBytes = 100;

/// Returns: what is wrong with `name` as the name of a folder or file on a log server, as the end of a sentence ("is
/// empty", "contains '/'", ...); empty if nothing is. Refused are: no bytes, more than kMaxLogNameBytes, a leading '.',
/// '/', '\', characters that plain_text() does not show as they are, and bytes that are not UTF-8.
[[nodiscard]] std::string log_name_error(std::string_view name);

/// The folder that collects all logs of one run: the experiment's name, with whatever a name may not contain replaced
/// by '-', and the first 8 digits of the run's id. Every host of the run comes to the same name.
[[nodiscard]] std::string experiment_folder(std::string_view experiment, std::string_view run_id);

}  // namespace groma
