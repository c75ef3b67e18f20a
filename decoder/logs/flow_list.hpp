// A list of flows on a command line: "1,3".
#pragma once

#include <set>
#include <string_view>

#include "common/base/ids.hpp"

namespace groma {

/// Throws: UsageError that names the text and the right form.
[[nodiscard]] std::set<FlowId> parse_flow_list(std::string_view text);

}  // namespace groma
