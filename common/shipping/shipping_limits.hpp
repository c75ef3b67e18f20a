// How much a shipper keeps, and how long it tries.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/time/instant.hpp"

namespace groma {

struct ShippingLimits {
    std::size_t memory_bytes = 16U << 20U;      ///< of pieces, for each log
    std::uint64_t spool_bytes = 4ULL << 30U;    ///< on the disk, for all logs together
    Nanos opening = std::chrono::seconds(10);   ///< for a log to be opened
    Nanos patience = std::chrono::seconds(30);  ///< at the end of a log, without any progress
    Nanos farewell = std::chrono::seconds(2);   ///< at the end of a shipper whose logs were left, without any progress
    Nanos silence = std::chrono::seconds(60);   ///< with nothing heard or sent: the connection is made again
    Nanos first_pause = std::chrono::milliseconds(50);  ///< between attempts; doubled each time
    Nanos longest_pause = std::chrono::seconds(2);
};

}  // namespace groma
