// What travels from a worker to the log thread for each packet that left.
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

/// And for each reply that came back.
struct QueuedReply {
    RoundTripRecord record;
    std::uint32_t flow = 0;  ///< as above
};

using ReplyQueue = RecordQueue<QueuedReply>;

}  // namespace groma
