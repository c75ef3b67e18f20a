// Collects the times at which packets left, as the kernel or the interface saw it, beside the threads that send them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/base/record_queue.hpp"
#include "common/net/channel/channel.hpp"
#include "common/wire/packet_header.hpp"
#include "common/wire/records.hpp"
#include "sender/engine/flow_sender.hpp"

namespace groma {

/// What travels to the log thread.
struct QueuedTransmit {
    TransmitRecord record;
    std::uint32_t flow = 0;  ///< the flow's place in the engine's list, not its id
};
using TransmitQueue = RecordQueue<QueuedTransmit>;

/// Does this flow ask for stamps, and do its packets say which they are?
[[nodiscard]] bool wants_transmit_stamps(const FlowSpec& spec) noexcept;

/// Thread: its own, but for queue(), whose other end is the log thread's, and for collected(), asked when it has ended.
class StampWorker {
public:
    /// Of these flows, which outlive the worker. They outnumber what the queue takes for a while.
    StampWorker(std::vector<FlowSender*> flows, std::size_t queue_records);

    /// Takes what there is. Returns: how many. Neither waits nor throws.
    std::size_t collect() noexcept;
    /// Every packet that was sent so far has its stamp.
    [[nodiscard]] bool has_all() const noexcept;

    [[nodiscard]] TransmitQueue& queue() noexcept { return queue_; }
    /// Stamps of the flow in this place that are on their way to the log; 0 for a flow that is not the worker's.
    [[nodiscard]] std::uint64_t collected(std::uint32_t place) const noexcept;

private:
    struct Flow {
        FlowSender* sender = nullptr;
        SequenceUnwrapper unwrapper;
        std::uint64_t collected = 0;
    };

    std::size_t collect(Flow& flow) noexcept;

    std::vector<Flow> flows_;
    std::vector<TransmitStamp> stamps_;
    TransmitQueue queue_;
};

}  // namespace groma
