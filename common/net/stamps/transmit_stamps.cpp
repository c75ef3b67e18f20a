#include "common/net/stamps/transmit_stamps.hpp"

#include <linux/errqueue.h>
#include <netinet/in.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "common/net/socket/socket.hpp"
#include "common/net/stamps/kernel_departure.hpp"

namespace groma {

namespace {

constexpr std::size_t kBatch = 32;
/// The packets that wait in the error queue take their room from the receive buffer.
constexpr int kQueueBuffer = 8 << 20;
constexpr std::size_t kControlSize = kStampControlSize + CMSG_SPACE(sizeof(timespec)) +
                                     CMSG_SPACE(sizeof(sock_extended_err) + sizeof(sockaddr_in6)) +
                                     4 * CMSG_SPACE(sizeof(int));

bool is_about_a_stamp(const cmsghdr& part) noexcept {
    const bool v4 = part.cmsg_level == IPPROTO_IP and part.cmsg_type == IP_RECVERR;
    const bool v6 = part.cmsg_level == IPPROTO_IPV6 and part.cmsg_type == IPV6_RECVERR;
    if ((not v4 and not v6) or part.cmsg_len < CMSG_LEN(sizeof(sock_extended_err))) {
        return false;
    }
    sock_extended_err error{};
    std::memcpy(&error, CMSG_DATA(&part), sizeof error);
    return error.ee_origin == SO_EE_ORIGIN_TIMESTAMPING;
}

}  // namespace

struct TransmitStamps::Batch {
    struct Slot {
        iovec piece{};
        std::array<std::byte, kLoopedBytes> bytes{};
        alignas(cmsghdr) std::array<std::byte, kControlSize> control{};
    };

    std::array<mmsghdr, kBatch> messages{};
    std::array<Slot, kBatch> slots{};

    Batch() noexcept {
        for (std::size_t i = 0; i < kBatch; ++i) {
            slots[i].piece = {.iov_base = slots[i].bytes.data(), .iov_len = slots[i].bytes.size()};
            messages[i].msg_hdr.msg_iov = &slots[i].piece;
            messages[i].msg_hdr.msg_iovlen = 1;
            messages[i].msg_hdr.msg_control = slots[i].control.data();
        }
    }

    std::size_t receive(int fd, std::size_t most) noexcept {
        for (std::size_t i = 0; i < most; ++i) {  // the kernel writes over it
            messages[i].msg_hdr.msg_controllen = kControlSize;
        }
        const int count =
            ::recvmmsg(fd, messages.data(), static_cast<unsigned>(most), MSG_ERRQUEUE | MSG_DONTWAIT, nullptr);
        return count > 0 ? static_cast<std::size_t>(count) : 0;
    }
};

TransmitStamps::TransmitStamps(const FileDescriptor& socket, StampSource asked, const LoopedFlow& flow,
                               const SocketAddress& local)
    : fd_(socket.get()),
      flow_(flow),
      settings_(switch_on_stamps(socket, StampDirection::leaving, asked, local)),
      batch_(std::make_unique<Batch>()) {
    ask_for_buffer(socket, SO_RCVBUF, kQueueBuffer);
}

TransmitStamps::~TransmitStamps() = default;

std::size_t TransmitStamps::take(std::span<TransmitStamp> out) noexcept {
    std::size_t filled = 0;
    while (filled < out.size()) {
        const std::size_t most = std::min(kBatch, out.size() - filled);
        const std::size_t count = batch_->receive(fd_, most);
        for (std::size_t i = 0; i < count; ++i) {
            filled += accept(i, out[filled]) ? 1 : 0;
        }
        if (count == 0) {
            break;
        }
    }
    return filled;
}

bool TransmitStamps::accept(std::size_t index, TransmitStamp& out) noexcept {
    msghdr& message = batch_->messages[index].msg_hdr;
    bool about_a_stamp = false;
    StampPair stamps;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
        about_a_stamp = about_a_stamp or is_about_a_stamp(*part);
        missed_.fetch_add(is_about_a_missed_departure(*part) ? 1 : 0, std::memory_order_relaxed);
        stamps = stamps_of(*part).value_or(stamps);
    }
    const std::size_t size = std::min<std::size_t>(batch_->messages[index].msg_len, kLoopedBytes);
    const auto seq = sequence_of_looped(std::span(batch_->slots[index].bytes).first(size), flow_);
    const auto time = settings_.source == StampSource::hardware ? stamps.hardware : stamps.software;
    if (not about_a_stamp or not seq or not time) {
        return false;
    }
    out = {.seq = *seq, .at = *time};
    return true;
}

std::unique_ptr<TransmitStamps> transmit_stamps(const FileDescriptor& socket, const ChannelSpec& spec,
                                                const SocketAddress& local) {
    const StampSource asked = spec.options.sent_stamps.value_or(StampSource::user);
    if (asked == StampSource::user) {
        return nullptr;
    }
    const LoopedFlow flow{.to = spec.to, .protocol = ip_protocol_of(spec.transport, spec.to.family() == AF_INET6)};
    return std::make_unique<TransmitStamps>(socket, asked, flow, local);
}

}  // namespace groma
