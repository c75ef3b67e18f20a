// A list of flows on a command line: "1,3".
#pragma once

#include <set>
#include <string>

#include "common/base/ids.hpp"

namespace groma {

/// Throws: UsageError that names the option, what was given, and what would be right.
[[nodiscard]] std::set<FlowId> parse_flow_list(const std::string& option, const std::string& text);

}  // namespace groma
