// How much a shipper keeps, and how long it tries.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/net/socket/time_limits.hpp"

namespace groma {

struct ShippingLimits {
    std::size_t memory_bytes = 16U << 20U;    ///< of pieces, for each log
    std::uint64_t spool_bytes = 4ULL << 30U;  ///< on the disk, for all logs together
    ShippingTimes times{};
};

}  // namespace groma
