// Limits of a shipper: memory, disk and time.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/net/socket/time_limits.hpp"

namespace groma {

struct ShippingLimits {
    std::size_t memory_bytes = 16U << 20U;    ///< of pieces, per log
    std::uint64_t spool_bytes = 4ULL << 30U;  ///< on disk, for all logs together
    ShippingTimes times{};
};

}  // namespace groma
