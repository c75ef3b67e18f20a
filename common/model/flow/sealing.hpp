// Which flows are sealed: all their packets carry a code that only who has the flow's key can make
// (docs/reference/wire-format.md). Pure functions; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// The smallest packet, or reply, with a seal behind the complete header; over a stream behind the frame's length, too.
[[nodiscard]] constexpr std::uint32_t smallest_sealed(Transport transport) noexcept {
    return is_stream(transport) ? 29 : 28;
}

/// For a run whose control sessions are under keys: flows that do not say whether they are sealed are, where that
/// changes nothing that they send: their header is full, and hardly any size is too small (one in a million).
void seal_by_default(std::vector<FlowSpec>& flows);

}  // namespace groma
