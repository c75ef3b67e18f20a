// Passed from a worker to the log thread for each packet sent.
#pragma once

#include <cstdint>

#include "common/base/record_queue.hpp"
#include "common/wire/records.hpp"

namespace groma {

struct QueuedRecord {
    SentRecord record;
    std::uint32_t flow = 0;  ///< the flow's place in the engine's list, not its id
};

using SentQueue = RecordQueue<QueuedRecord>;

/// Passed to the log thread for each reply received.
struct QueuedReply {
    RoundTripRecord record;
    std::uint32_t flow = 0;  ///< as above
};

using ReplyQueue = RecordQueue<QueuedReply>;

}  // namespace groma
