// The kinds of pictures of all files that groma-plot draws, by name.
#pragma once

#include <string>
#include <vector>

namespace groma {

/// What --only can name.
[[nodiscard]] std::vector<std::string> kind_names();

/// For people: each with what it shows, by the file that it is of.
[[nodiscard]] std::string kind_list();

}  // namespace groma
