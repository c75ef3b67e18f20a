#include "common/net/stream/reply_stream.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "common/net/channel/reply_batch.hpp"

namespace groma {

ReflectOutcome ReplyStream::send(int fd, std::span<const Arrival> arrivals) noexcept {
    ReflectOutcome outcome;
    for (const Arrival& arrival : arrivals) {
        if (held_ == kMostHeld) {
            outcome.sent += flush(fd);
        }
        outcome.lost += queue_up(arrival) ? 0 : 1;
    }
    outcome.sent += flush(fd);
    return outcome;
}

bool ReplyStream::queue_up(const Arrival& arrival) noexcept {
    if (held_ == kMostHeld) {
        return false;
    }
    Held& last = held(held_++);
    last.arrival = arrival;
    last.start_size = 0;
    return true;
}

/// Returns: replies that have gone completely.
std::size_t ReplyStream::flush(int fd) noexcept {
    std::size_t replies = 0;
    while (holding()) {
        const std::size_t bytes = gather();
        msghdr message{};
        message.msg_iov = pieces_.data();
        message.msg_iovlen = piece_count_;
        const ssize_t taken = ::sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (taken < 0) {
            if (errno != EAGAIN and errno != EINTR and errno != ENOBUFS and errno != ENOMEM) {
                give_up();
            }
            break;
        }
        replies += drop_gone(static_cast<std::size_t>(taken));
        if (static_cast<std::size_t>(taken) < bytes) {
            break;  // the socket is full
        }
    }
    return replies;
}

void ReplyStream::lay_out(Held& held, WallTime now) const noexcept {
    const std::size_t size = held.arrival.size;
    const std::size_t length = serialize_stream_length(size, std::span(held.start).first<kMaxStreamLengthBytes>());
    const auto start = std::span(held.start).subspan(length);
    held.start_size = length + packets_.write(reply_to(held.arrival, now), size - length, start);
}

/// Lays out what is held, as much as one call takes. Returns: its bytes.
std::size_t ReplyStream::gather() noexcept {
    const WallTime now = clock_.wall_now();
    piece_count_ = 0;
    std::size_t bytes = 0;
    std::size_t skip = gone_;
    for (std::size_t place = 0; place < held_ and piece_count_ < kMostPieces; ++place) {
        Held& reply = held(place);
        if (place > 0 or gone_ == 0) {  // one that has begun to go stays as it was
            lay_out(reply, now);
        }
        add_piece(std::span(reply.start).first(reply.start_size), skip);
        for (std::size_t left = reply.arrival.size - reply.start_size; left > 0 and piece_count_ < kMostPieces;) {
            const auto filler = reply_filler().first(std::min(left, reply_filler().size()));
            add_piece(filler, skip);
            left -= filler.size();
        }
    }
    for (std::size_t i = 0; i < piece_count_; ++i) {
        bytes += pieces_[i].iov_len;
    }
    return bytes;
}

void ReplyStream::add_piece(std::span<const std::byte> bytes, std::size_t& skip) noexcept {
    const std::size_t skipped = std::min(skip, bytes.size());
    skip -= skipped;
    const auto rest = bytes.subspan(skipped);
    if (not rest.empty()) {
        pieces_[piece_count_++] = {.iov_base = const_cast<std::byte*>(rest.data()), .iov_len = rest.size()};
    }
}

/// Returns: replies that are gone with these bytes.
std::size_t ReplyStream::drop_gone(std::size_t bytes) noexcept {
    std::size_t replies = 0;
    gone_ += bytes;
    while (held_ > 0 and gone_ >= held(0).arrival.size) {
        gone_ -= held(0).arrival.size;
        front_ = (front_ + 1) % kMostHeld;
        --held_;
        ++replies;
    }
    return replies;
}

}  // namespace groma
