// Collects the transmit stamps that the kernel or the interface took, outside the sending threads.
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

/// Passed to the log thread.
struct QueuedTransmit {
    TransmitRecord record;
    std::uint32_t flow = 0;  ///< the flow's place in the engine's list, not its id
};
using TransmitQueue = RecordQueue<QueuedTransmit>;

/// Whether the flow requests stamps and its packets carry numbers.
[[nodiscard]] bool wants_transmit_stamps(const FlowSpec& spec) noexcept;

/// Thread: its own. The log thread reads queue(). collected(): after the thread has ended.
class StampWorker {
public:
    /// The flows outlive the worker.
    StampWorker(std::vector<FlowSender*> flows, std::size_t queue_records);

    /// Takes the available stamps. Returns: their number. Does not block.
    std::size_t collect() noexcept;
    /// Whether every packet sent so far has its stamp.
    [[nodiscard]] bool has_all() const noexcept;

    [[nodiscard]] TransmitQueue& queue() noexcept { return queue_; }
    /// Stamps of the flow at `place` that were queued for the log; 0 for a flow of another worker.
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
