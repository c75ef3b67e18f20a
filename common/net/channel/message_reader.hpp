// Reads the packets of one flow from a connected socket that keeps the boundaries of messages (SCTP, DCCP). The time of
// a packet is that of its read.
#pragma once

#include <memory>
#include <span>

#include "common/net/channel/inbox.hpp"
#include "common/time/clock.hpp"

namespace groma {

class MessageReader {
public:
    /// Of `spec` the flow, its transport and its header. On an association that flows share, each packet comes with its
    /// stream, and whoever takes it looks whether it is of the stream's flow. The clock outlives the reader.
    MessageReader(const InboxSpec& spec, PacketKind kind, Clock& clock);

    /// As Inbox::drain(). Packet path.
    [[nodiscard]] std::size_t drain(int fd, std::span<Arrival> out) noexcept;
    [[nodiscard]] InboxState state() const noexcept { return state_; }
    [[nodiscard]] const InboxCounts& counts() const noexcept { return counts_; }
    /// Connections of strangers are counted here as well.
    [[nodiscard]] std::uint64_t& foreign() noexcept { return counts_.foreign; }

private:
    /// No message of either transport is longer.
    static constexpr std::size_t kBufferSize = std::size_t{128} << 10U;

    [[nodiscard]] bool read_message(int fd) noexcept;
    [[nodiscard]] bool read_piece(int fd, bool& whole) noexcept;
    [[nodiscard]] bool parse(std::size_t size, Arrival& out) noexcept;

    FlowId flow_;
    Transport transport_;
    bool shared_;
    PacketFormat packets_;
    PacketKind kind_;
    Clock& clock_;
    std::unique_ptr<std::byte[]> buffer_;  ///< the kernel backs it with memory when it is touched
    std::size_t filled_ = 0;               ///< of a message that came in part
    std::uint16_t stream_ = 0;             ///< of the last piece
    InboxCounts counts_;
    InboxState state_ = InboxState::open;
};

}  // namespace groma
