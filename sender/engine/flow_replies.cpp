#include "sender/engine/flow_replies.hpp"

namespace groma {

RoundTrip FlowReplies::result() const {
    RoundTrip result = meter_.result();
    const InboxCounts& counts = inbox_->counts();
    result.foreign = counts.foreign;
    result.malformed += counts.malformed;
    result.forged = counts.forged;
    result.kernel_drops = counts.kernel_drops;
    result.refused = counts.refused;
    result.records_lost = records_lost_;
    return result;
}

}  // namespace groma
