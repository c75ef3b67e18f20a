// Departure by the kernel: a flow's datagrams are handed over ahead of time, and a queue of this host lets each go when
// it is due (SO_TXTIME; docs/design/pacing.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/net/channel/channel.hpp"
#include "common/net/device/departure_queue.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

class KernelDeparture {
public:
    /// Tells a socket that is connected from `local`. Throws: RunError when the way has no such queue or it is too
    /// short for what is handed over ahead of time; SystemError.
    KernelDeparture(const FileDescriptor& socket, const ChannelSpec& spec, const SocketAddress& local,
                    DeviceQueues& queues);

    /// Hands frames over, each to leave at Frame::departs. Returns and errno: as TimedBatch::send(). Packet path.
    [[nodiscard]] std::size_t send(int fd, std::span<const Frame> frames) const noexcept;

    [[nodiscard]] const DepartureQueue& queue() const noexcept { return queue_; }
    /// Whether the queue says which packets it threw away because their times were over: etf does, fq lets them go.
    [[nodiscard]] bool reports_missed() const noexcept { return queue_.kind == DepartureQueue::Kind::etf; }

private:
    DepartureQueue queue_;
};

/// Null: the flow's departures are the program's.
[[nodiscard]] std::unique_ptr<KernelDeparture> kernel_departure(const FileDescriptor& socket, const ChannelSpec& spec,
                                                                const SocketAddress& local, DeviceQueues& queues);

/// What a socket's error queue says.
struct QueueReports {
    std::uint64_t missed = 0;  ///< packets thrown away in the queue because their times were over
    int refusal = 0;           ///< errno of a report about an earlier packet (ICMP); 0: none
};

/// Whether this control message is about a packet that a queue threw away because its time was over.
[[nodiscard]] bool is_about_a_missed_departure(const cmsghdr& part) noexcept;

/// Empties the error queue. Packet path.
[[nodiscard]] QueueReports take_queue_reports(int fd) noexcept;

}  // namespace groma
