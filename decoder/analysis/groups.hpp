// Groups of flows whose figures are combined: --group.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "decoder/analysis/total.hpp"
#include "decoder/results/group_key.hpp"

namespace groma {

struct MemberGroup {
    std::vector<std::string> values;  ///< of each key
    Members members;
};

/// The value of a key: "alpha > beta" (hosts; "?": unknown), "udp", "voip"; for the label, the flow's name without the
/// number that separates the flows of one entry of an experiment ("voip-12": "voip").
[[nodiscard]] std::string group_value(GroupKey key, const FlowResult& flow);

/// In the order of their first members. A flow of several receivers is in a group once for each that belongs there.
[[nodiscard]] std::vector<MemberGroup> grouped(const Members& members, const std::vector<GroupKey>& keys);

}  // namespace groma
