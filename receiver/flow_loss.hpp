// What did not come of what a sender says it sent.
#pragma once

#include <cstdint>

#include "common/base/ids.hpp"

namespace groma {

struct FlowLoss {
    FlowId flow;
    std::uint64_t sent = 0;
    std::uint64_t lost = 0;
    bool at_least = false;  ///< copies of packets without a number may hide more
};

}  // namespace groma
