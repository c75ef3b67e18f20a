// Which flows are sealed: their packets carry a code that only who has the flow's key can make
// (docs/reference/wire-format.md). Pure functions; any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// The smallest packet that has room for a seal behind the complete header.
inline constexpr std::uint32_t kSmallestSealed = 28;

/// The smallest packet, or reply, that the flow may have, as far as that is known at a glance; 0: it is not.
[[nodiscard]] std::size_t smallest_size(const FlowSpec& spec);

/// Whether all its packets and replies have room for a seal, or none of them has.
[[nodiscard]] bool all_have_room_for_seal(const FlowSpec& spec);
[[nodiscard]] bool none_has_room_for_seal(const FlowSpec& spec);

/// For a run whose control sessions are under keys: flows that do not say whether they are sealed are, where that
/// changes no size of theirs, their header is full, and their packets have room.
void seal_by_default(std::vector<FlowSpec>& flows);

}  // namespace groma
