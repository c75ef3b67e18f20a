// What a receiver says of a flow against what was sent: figures that cannot both be true, because the receiver is
// broken or lies, or its answer was changed on the way. Pure.
#pragma once

#include <string>

#include "sender/report/run_report.hpp"

namespace groma {

/// Returns: the first of them, as "the receiver's counts contradict what was sent: ..."; empty when there is none.
[[nodiscard]] std::string contradiction(const FlowReport& flow, const ReceivedFlow& received);

}  // namespace groma
