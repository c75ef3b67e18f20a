#include "common/net/channel/reply_batch.hpp"

#include <algorithm>
#include <cerrno>

namespace groma {

namespace {

constexpr std::size_t kFillerSize = std::size_t{128} << 10U;  // no message of any transport is longer
constexpr std::array<std::byte, kFillerSize> kFiller{};

iovec piece(std::span<const std::byte> bytes) noexcept {
    return {.iov_base = const_cast<std::byte*>(bytes.data()), .iov_len = bytes.size()};  // the kernel only reads it
}

}  // namespace

Reply reply_to(const Arrival& arrival, WallTime now) noexcept {
    return {.header = arrival.header, .stamps = {.reflected_at = arrival.received_at, .replied_at = now}};
}

std::span<const std::byte> reply_filler() noexcept {
    return kFiller;
}

ReplyBatch::ReplyBatch(const PacketFormat& packets, Clock& clock) noexcept : packets_(packets), clock_(clock) {
    for (std::size_t i = 0; i < kMost; ++i) {
        messages_[i].msg_hdr.msg_iov = slots_[i].pieces.data();
        messages_[i].msg_hdr.msg_iovlen = kPieces;
    }
}

void ReplyBatch::stamp() noexcept {
    now_ = clock_.wall_now();
}

ReplyBatch::Envelope ReplyBatch::lay_out(std::size_t index, const Arrival& arrival) noexcept {
    Slot& slot = slots_[index];
    const std::size_t size = packets_.write(reply_to(arrival, now_), arrival.size, slot.header);
    const auto header = std::span<const std::byte>(slot.header).first(size);
    slot.pieces[1] = piece(header);
    slot.pieces[2] = piece(reply_filler().first(std::min(arrival.size - size, kFillerSize)));
    return {.prefix = slot.prefix, .header = header};
}

void ReplyBatch::address_to(std::size_t index, const Envelope& envelope) noexcept {
    slots_[index].pieces[0] = piece(envelope.prefix.first(envelope.prefix_size));
    messages_[index].msg_hdr.msg_name = const_cast<sockaddr*>(envelope.to);  // the kernel only reads it
    messages_[index].msg_hdr.msg_namelen = envelope.to_size;
}

// A message that the kernel does not take is passed over: the others have their own fate. When there is no room, none
// of the rest has any.
std::size_t ReplyBatch::send_laid_out(int fd, std::size_t count) noexcept {
    std::size_t sent = 0;
    for (std::size_t at = 0; at < count;) {
        const int taken =
            ::sendmmsg(fd, &messages_[at], static_cast<unsigned>(count - at), MSG_DONTWAIT | MSG_NOSIGNAL);
        if (taken > 0) {
            sent += static_cast<std::size_t>(taken);
            at += static_cast<std::size_t>(taken);
        } else if (errno == EAGAIN or errno == EPIPE or errno == ENOTCONN or errno == ECONNRESET) {
            break;
        } else {
            ++at;
        }
    }
    return sent;
}

}  // namespace groma
