// Frames as messages of a socket that keeps their boundaries, several in one sendmmsg(2): what the channels of UDP,
// ICMP, SCTP and DCCP have in common.
#pragma once

#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <span>

#include "common/net/channel/channel.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

class MessageBatch {
public:
    static constexpr std::size_t kMost = 64;
    static constexpr std::size_t kPrefix = 8;

    /// `prefix_bytes`: of what goes before each frame, at most kPrefix.
    explicit MessageBatch(std::size_t prefix_bytes = 0) noexcept;

    /// What goes before the frame in this place of the next batch (ICMP's header), to be written before send().
    [[nodiscard]] std::span<std::byte, kPrefix> prefix(std::size_t index) noexcept {
        return std::span<std::byte, kPrefix>(prefixes_[index]);
    }

    /// Returns: how many of the frames, from the first, the kernel took; 0 with errno set. At most kMost of them are
    /// offered. Packet path.
    [[nodiscard]] std::size_t send(int fd, std::span<const Frame> frames) noexcept;

    /// Ancillary data that goes with the message in this place of every batch; not owned.
    void set_control(std::size_t index, std::span<std::byte> control) noexcept;

private:
    static constexpr std::size_t kPieces = 3;  ///< of a message: prefix, header, rest

    std::array<std::array<std::byte, kPrefix>, kMost> prefixes_{};
    std::array<iovec, kPieces * kMost> pieces_{};
    std::array<mmsghdr, kMost> messages_{};
};

/// What an errno of a send says of the frame that was not taken.
[[nodiscard]] SendStatus status_of_send(int errno_value) noexcept;

/// Has the kernel queue up ICMP errors about packets of this socket (IP_RECVERR, ip(7)).
void report_errors(const FileDescriptor& socket, int family);
/// Forgets those that are queued. -1: of no socket, nothing.
void clear_error_reports(int fd) noexcept;

[[nodiscard]] bool may_report_an_earlier_packet(int errno_value) noexcept;

/// Messages about packets sent before come back as the error of the next send, which then sends nothing: one more try
/// tells whether it was about this one. `fd`: whose reports are forgotten then; -1: nobody's. `send_some(frames)`
/// returns how many were taken, 0 with errno set.
template <typename SendSome>
[[nodiscard]] SendOutcome send_with_reports(int fd, std::span<const Frame> frames, const SendSome& send_some) noexcept {
    SendOutcome outcome;
    bool tried_again = false;
    while (outcome.sent < frames.size()) {
        const std::size_t count = send_some(frames.subspan(outcome.sent));
        outcome.sent += count;
        if (count > 0) {
            tried_again = false;
            continue;
        }
        const int error = errno;
        clear_error_reports(fd);
        if (tried_again or not may_report_an_earlier_packet(error)) {
            return {.sent = outcome.sent, .status = status_of_send(error), .errno_value = error};
        }
        tried_again = true;
        if (error == ECONNREFUSED) {
            outcome.status = SendStatus::refused;
            outcome.errno_value = error;
        }
    }
    return outcome;
}

}  // namespace groma
