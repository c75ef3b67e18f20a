// The keys of requests and responses. They have rows among those of flows (flow_keys.hpp), behind "size".
#pragma once

#include <span>

#include "common/model/flow/flow_keys.hpp"

namespace groma {

/// In the order of the help.
[[nodiscard]] std::span<const FlowKeyRow> request_keys() noexcept;

}  // namespace groma
