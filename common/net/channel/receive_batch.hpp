// Memory that recvmmsg(2) fills: datagrams with their sources, first bytes and control messages. It is lent to whoever
// drains a socket of datagrams, one at a time on each thread, so that a hundred thousand sockets need no more of it
// than one. What it holds is read before the thread drains another socket.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "common/net/channel/datagram_extras.hpp"

namespace groma {

class ReceiveBatch {
public:
    /// What is read of a message.
    enum class Reading : std::uint8_t {
        start,      ///< its first bytes; the kernel tells its full length (MSG_TRUNC)
        to_the_end  ///< all of it: several packets that the kernel has coalesced, or one whose length it does not tell
    };

    /// Messages in one call.
    static constexpr std::size_t kMost = 64;
    /// Bytes of a message that is read to its start.
    static constexpr std::size_t kStart = 112;

    /// This thread's. Allocates nothing after make_for_this_thread().
    [[nodiscard]] static ReceiveBatch& of_this_thread(Reading reading);
    /// Both of this thread, unless it has them: 25 KiB, and for reading to the end 4 MiB of which only what messages
    /// fill is touched. Throws: std::bad_alloc.
    static void make_for_this_thread();

    explicit ReceiveBatch(Reading reading);
    ReceiveBatch(const ReceiveBatch&) = delete;
    ReceiveBatch& operator=(const ReceiveBatch&) = delete;

    /// Of at most `most` messages. Returns: how many were received; 0 with errno set when there are none, or when there
    /// was an error. Packet path.
    [[nodiscard]] std::size_t receive(int fd, std::size_t most) noexcept;

    [[nodiscard]] msghdr& header(std::size_t index) noexcept { return messages_[index].msg_hdr; }
    [[nodiscard]] const sockaddr_storage& source(std::size_t index) const noexcept { return slots_[index].source; }
    /// Its length, whatever was read of it.
    [[nodiscard]] std::size_t size(std::size_t index) const noexcept { return messages_[index].msg_len; }
    /// What was read of it.
    [[nodiscard]] std::span<const std::byte> bytes(std::size_t index) const noexcept {
        const std::size_t have = size(index) < kept_ ? size(index) : kept_;
        return {bytes_.get() + index * stride_, have};
    }

private:
    struct Slot {
        sockaddr_storage source{};
        iovec piece{};
        alignas(cmsghdr) std::array<std::byte, kExtrasControlSize> control{};
    };

    std::size_t kept_;    ///< bytes of each message
    std::size_t stride_;  ///< from one message's to the next one's
    std::unique_ptr<std::byte[]> bytes_;
    std::array<Slot, kMost> slots_{};
    std::array<mmsghdr, kMost> messages_{};
    std::size_t used_ = kMost;  ///< messages over which the kernel may have written since they were prepared
};

}  // namespace groma
