// Replies (common/wire/reply.hpp) as messages of a socket that keeps their boundaries, several in one sendmmsg(2): what
// the inboxes of UDP, ICMP, SCTP and DCCP send packets back with.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <span>

#include "common/net/channel/inbox.hpp"
#include "common/time/clock.hpp"
#include "common/wire/packet_format.hpp"

namespace groma {

/// The reply that an arrival gets. `now`: just before it is sent.
[[nodiscard]] Reply reply_to(const Arrival& arrival, WallTime now) noexcept;

/// What replies have behind their header: zeros.
[[nodiscard]] std::span<const std::byte> reply_filler() noexcept;

class ReplyBatch {
public:
    static constexpr std::size_t kMost = 64;
    static constexpr std::size_t kPrefix = 8;

    /// What one reply is sent with beside itself. Not owned.
    struct Envelope {
        std::span<std::byte, kPrefix> prefix;  ///< room for what goes before it
        std::span<const std::byte> header;     ///< of the reply; behind it come zeros, which change no checksum
        std::size_t prefix_size = 0;           ///< 0 to kPrefix: how much of `prefix` was filled
        const sockaddr* to = nullptr;          ///< null: the socket is connected
        socklen_t to_size = 0;
    };

    /// The clock outlives the batch.
    ReplyBatch(const PacketFormat& packets, Clock& clock) noexcept;

    /// Sends the replies of all arrivals; `address(index, envelope)` fills in their envelopes. Never blocks. Packet
    /// path.
    template <typename Address>
    [[nodiscard]] ReflectOutcome send(int fd, std::span<const Arrival> arrivals, const Address& address) noexcept {
        ReflectOutcome outcome;
        for (std::size_t first = 0; first < arrivals.size(); first += kMost) {
            const auto some = arrivals.subspan(first, std::min(kMost, arrivals.size() - first));
            stamp();
            for (std::size_t i = 0; i < some.size(); ++i) {
                Envelope envelope = lay_out(i, some[i]);
                address(first + i, envelope);
                address_to(i, envelope);
            }
            const std::size_t sent = send_laid_out(fd, some.size());
            outcome.sent += sent;
            outcome.lost += some.size() - sent;
        }
        return outcome;
    }
    /// Over a connection.
    [[nodiscard]] ReflectOutcome send(int fd, std::span<const Arrival> arrivals) noexcept {
        return send(fd, arrivals, [](std::size_t, Envelope&) {});
    }

private:
    static constexpr std::size_t kPieces = 3;  ///< of a message: prefix, header, filler

    struct Slot {
        std::array<std::byte, kPrefix> prefix{};
        std::array<std::byte, kSealedReply> header{};
        std::array<iovec, kPieces> pieces{};
    };

    void stamp() noexcept;
    [[nodiscard]] Envelope lay_out(std::size_t index, const Arrival& arrival) noexcept;
    void address_to(std::size_t index, const Envelope& envelope) noexcept;
    [[nodiscard]] std::size_t send_laid_out(int fd, std::size_t count) noexcept;

    PacketFormat packets_;
    Clock& clock_;
    WallTime now_{};
    std::array<Slot, kMost> slots_{};
    std::array<mmsghdr, kMost> messages_{};
};

}  // namespace groma
