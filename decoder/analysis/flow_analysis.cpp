#include "decoder/analysis/flow_analysis.hpp"

#include <algorithm>

namespace groma {

FlowAnalysis* FlowAnalysis::at(const LogTally& receiver) {
    if (receiver_log == &receiver) {
        return this;
    }
    const auto other = std::ranges::find_if(further, [&](const auto& it) { return it->receiver_log == &receiver; });
    return other == further.end() ? nullptr : other->get();
}

}  // namespace groma
