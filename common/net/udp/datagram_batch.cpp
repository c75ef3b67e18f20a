#include "common/net/udp/datagram_batch.hpp"

#include <netinet/in.h>
#include <netinet/udp.h>

#include <algorithm>
#include <cstring>

namespace groma {

namespace {

constexpr int kFlags = MSG_DONTWAIT | MSG_NOSIGNAL;

iovec piece(std::span<const std::byte> bytes) noexcept {
    return {.iov_base = const_cast<std::byte*>(bytes.data()), .iov_len = bytes.size()};  // the kernel only reads it
}

}  // namespace

DatagramBatch::DatagramBatch() noexcept {
    for (Control& control : controls_) {
        cmsghdr head{};
        head.cmsg_level = IPPROTO_UDP;
        head.cmsg_type = UDP_SEGMENT;
        head.cmsg_len = CMSG_LEN(sizeof(std::uint16_t));
        std::memcpy(control.bytes.data(), &head, sizeof head);
    }
}

std::size_t DatagramBatch::run_length(std::span<const Frame> frames, std::size_t largest_segment) noexcept {
    const std::size_t size = frames.front().size();
    if (size == 0 or size > largest_segment) {
        return 1;
    }
    const std::size_t most = std::min({frames.size(), kMostSegments, kMostBytes / size});
    std::size_t count = 1;
    while (count < most and frames[count].size() == size) {
        ++count;
    }
    const bool shorter_one_fits = count > 1 and count < most and frames[count].size() < size;
    return shorter_one_fits and frames[count].size() > 0 ? count + 1 : count;
}

std::size_t DatagramBatch::send(int fd, std::span<const Frame> frames, std::size_t largest_segment) noexcept {
    message_count_ = control_count_ = piece_count_ = copied_bytes_ = 0;
    for (auto rest = frames.first(std::min(frames.size(), kMost)); not rest.empty();) {
        const std::size_t run = run_length(rest, largest_segment);
        add_message(rest.first(run));
        rest = rest.subspan(run);
    }
    if (message_count_ == 1) {  // a packet on its own is on time: the call with the least to do
        return ::sendmsg(fd, &messages_[0].msg_hdr, kFlags) >= 0 ? run_lengths_[0] : 0;
    }
    const int taken = ::sendmmsg(fd, messages_.data(), static_cast<unsigned>(message_count_), kFlags);
    std::size_t sent = 0;
    for (std::size_t i = 0; taken > 0 and i < static_cast<std::size_t>(taken); ++i) {
        sent += run_lengths_[i];
    }
    return sent;
}

void DatagramBatch::add_message(std::span<const Frame> run) noexcept {
    msghdr& message = messages_[message_count_].msg_hdr;
    run_lengths_[message_count_] = static_cast<std::uint8_t>(run.size());
    ++message_count_;

    const std::size_t first_piece = piece_count_;
    if (run.size() > 1 and run.front().size() <= kCopiedUpTo) {
        add_copy(run);
    } else {
        add_in_place(run);
    }
    message.msg_iov = &pieces_[first_piece];
    message.msg_iovlen = piece_count_ - first_piece;
    message.msg_control = nullptr;
    message.msg_controllen = 0;
    if (run.size() > 1) {
        Control& control = controls_[control_count_++];
        const auto segment = static_cast<std::uint16_t>(run.front().size());
        std::memcpy(control.bytes.data() + CMSG_LEN(0), &segment, sizeof segment);
        message.msg_control = control.bytes.data();
        message.msg_controllen = control.bytes.size();
    }
}

void DatagramBatch::add_in_place(std::span<const Frame> run) noexcept {
    for (const Frame& frame : run) {
        pieces_[piece_count_++] = piece(std::span(frame.header).first(frame.header_bytes));
        pieces_[piece_count_++] = piece(frame.rest);
    }
}

void DatagramBatch::add_copy(std::span<const Frame> run) noexcept {
    std::byte* const start = copied_.data() + copied_bytes_;
    std::byte* to = start;
    for (const Frame& frame : run) {
        to = std::copy_n(frame.header.begin(), frame.header_bytes, to);
        to = std::copy(frame.rest.begin(), frame.rest.end(), to);
    }
    const auto size = static_cast<std::size_t>(to - start);
    copied_bytes_ += size;
    pieces_[piece_count_++] = {.iov_base = start, .iov_len = size};
}

DatagramBatch& datagram_batch() noexcept {
    thread_local DatagramBatch batch;
    return batch;
}

}  // namespace groma
