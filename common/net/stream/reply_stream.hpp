// Replies (common/wire/reply.hpp) as frames of a byte stream (common/wire/stream_frame.hpp). What the socket has no
// room for waits here, so many of them and no more; a frame of which a part has gone must be finished before any other.
#pragma once

#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <span>

#include "common/net/channel/inbox.hpp"
#include "common/time/clock.hpp"
#include "common/wire/stream_frame.hpp"

namespace groma {

class ReplyStream {
public:
    static constexpr std::size_t kMostHeld = 256;

    /// The clock outlives the stream.
    ReplyStream(const PacketFormat& packets, Clock& clock) noexcept : packets_(packets), clock_(clock) {}

    /// Queues the replies of the arrivals up and sends what the socket has room for; those that find no room here are
    /// lost. Returns: replies that have gone completely, also earlier ones, and those lost now. Packet path.
    [[nodiscard]] ReflectOutcome send(int fd, std::span<const Arrival> arrivals) noexcept;

    [[nodiscard]] bool holding() const noexcept { return held_ > 0; }
    /// The connection is gone: nothing that is held can go any more.
    void give_up() noexcept { held_ = 0; }
    /// Another connection takes them from now on.
    void restart() noexcept { front_ = held_ = gone_ = 0; }

private:
    struct Held {
        Arrival arrival;
        std::array<std::byte, kMaxStreamLengthBytes + kSealedReply> start{};  ///< length and header
        std::size_t start_size = 0;                                           ///< 0: not laid out yet
    };
    static constexpr std::size_t kMostPieces = 128;  ///< in one call

    [[nodiscard]] Held& held(std::size_t place) noexcept { return ring_[(front_ + place) % kMostHeld]; }
    [[nodiscard]] bool queue_up(const Arrival& arrival) noexcept;
    [[nodiscard]] std::size_t flush(int fd) noexcept;
    void lay_out(Held& held, WallTime now) const noexcept;
    [[nodiscard]] std::size_t gather() noexcept;
    void add_piece(std::span<const std::byte> bytes, std::size_t& skip) noexcept;
    [[nodiscard]] std::size_t drop_gone(std::size_t bytes) noexcept;

    PacketFormat packets_;
    Clock& clock_;
    std::array<Held, kMostHeld> ring_{};
    std::size_t front_ = 0;
    std::size_t held_ = 0;
    std::size_t gone_ = 0;  ///< bytes of the first that the kernel has taken
    std::array<iovec, kMostPieces> pieces_{};
    std::size_t piece_count_ = 0;
};

}  // namespace groma
