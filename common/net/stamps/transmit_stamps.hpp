// When the packets of a datagram flow left, as the kernel or the interface saw it: collected from the socket's error
// queue, where they stand among reports of errors, which are thrown away here.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "common/net/channel/channel.hpp"
#include "common/net/socket/kernel_stamps.hpp"
#include "common/net/stamps/looped_packet.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

class TransmitStamps {
public:
    /// The socket is connected to `to` from `local`, outlives the object, and nobody else empties its error queue.
    /// Requires: asked is not user. Throws: SystemError.
    TransmitStamps(const FileDescriptor& socket, StampSource asked, const LoopedFlow& flow, const SocketAddress& local);
    ~TransmitStamps();
    TransmitStamps(const TransmitStamps&) = delete;
    TransmitStamps& operator=(const TransmitStamps&) = delete;

    /// As Channel::take_transmit_stamps().
    [[nodiscard]] std::size_t take(std::span<TransmitStamp> out) noexcept;

    /// Reports among them of packets that a queue of this host threw away because their times were over. Thread: any.
    [[nodiscard]] std::uint64_t missed() const noexcept { return missed_.load(std::memory_order_relaxed); }

    [[nodiscard]] const StampSettings& settings() const noexcept { return settings_; }

private:
    struct Batch;

    [[nodiscard]] bool accept(std::size_t index, TransmitStamp& out) noexcept;

    int fd_;
    LoopedFlow flow_;
    StampSettings settings_;
    std::atomic<std::uint64_t> missed_{0};
    std::unique_ptr<Batch> batch_;  ///< what recvmmsg fills
};

/// Those that the options ask for; null: none.
[[nodiscard]] std::unique_ptr<TransmitStamps> transmit_stamps(const FileDescriptor& socket, const ChannelSpec& spec,
                                                              const SocketAddress& local);

/// The socket whose error queue the sending thread empties (send_with_reports()): none when stamps are taken from
/// there.
[[nodiscard]] inline int report_queue(int fd, const TransmitStamps* stamps) noexcept {
    return stamps == nullptr ? fd : -1;
}

}  // namespace groma
