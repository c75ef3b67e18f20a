#include "common/net/datagram_reader.hpp"

#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstring>
#include <ctime>

#include "common/net/icmp_packet.hpp"
#include "common/net/socket.hpp"
#include "common/os/system_clock.hpp"

namespace groma {

namespace {

constexpr std::size_t kBatch = 64;
/// Batches in one drain(), so that a flood of foreign packets cannot keep it for ever.
constexpr int kMostBatches = 256;
constexpr int kReceiveBuffer = 8 << 20;
constexpr std::size_t kControlSize = CMSG_SPACE(sizeof(timespec)) + CMSG_SPACE(sizeof(std::uint32_t));

/// What the kernel says beside a packet.
struct Extras {
    bool stamped = false;
    WallTime time{};
    bool has_drops = false;
    std::uint32_t drops = 0;
};

Extras extras_of(msghdr& message) noexcept {
    Extras extras;
    for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part)) {
        if (part->cmsg_level != SOL_SOCKET) {
            continue;
        }
        if (part->cmsg_type == SCM_TIMESTAMPNS) {
            timespec time{};
            std::memcpy(&time, CMSG_DATA(part), sizeof time);
            extras.stamped = true;
            extras.time = WallTime{std::chrono::seconds(time.tv_sec) + Nanos(time.tv_nsec)};
        } else if (part->cmsg_type == SO_RXQ_OVFL) {
            std::memcpy(&extras.drops, CMSG_DATA(part), sizeof extras.drops);
            extras.has_drops = true;
        }
    }
    return extras;
}

}  // namespace

/// Memory that recvmmsg fills: one packet each, its source, its first bytes and its control messages.
struct DatagramReader::Batch {
    struct Slot {
        sockaddr_storage source{};
        iovec piece{};
        std::array<std::byte, kMostInFront + kPacketHeaderSize> start{};
        alignas(cmsghdr) std::array<std::byte, kControlSize> control{};
    };

    std::array<mmsghdr, kBatch> messages{};
    std::array<Slot, kBatch> slots{};

    Batch() noexcept {
        for (std::size_t i = 0; i < kBatch; ++i) {
            slots[i].piece = {.iov_base = slots[i].start.data(), .iov_len = slots[i].start.size()};
            msghdr& message = messages[i].msg_hdr;
            message.msg_name = &slots[i].source;
            message.msg_iov = &slots[i].piece;
            message.msg_iovlen = 1;
            message.msg_control = slots[i].control.data();
        }
    }

    /// Returns: packets received; 0 also when there are none.
    std::size_t receive(int fd, std::size_t most) noexcept {
        for (std::size_t i = 0; i < most; ++i) {  // the kernel writes over these
            messages[i].msg_hdr.msg_namelen = sizeof(sockaddr_storage);
            messages[i].msg_hdr.msg_controllen = kControlSize;
        }
        const int count =
            ::recvmmsg(fd, messages.data(), static_cast<unsigned>(most), MSG_DONTWAIT | MSG_TRUNC, nullptr);
        return count > 0 ? static_cast<std::size_t>(count) : 0;
    }
};

DatagramReader::DatagramReader(const InboxSpec& spec, const FileDescriptor& socket, std::size_t in_front)
    : flow_(spec.flow),
      header_(spec.header),
      expected_(spec.expected_peer.host_key()),
      in_front_(in_front),
      fd_(socket.get()),
      batch_(std::make_unique<Batch>()) {
    ask_for_buffer(socket, SO_RCVBUF, kReceiveBuffer);
    set_option(socket, SOL_SOCKET, SO_TIMESTAMPNS, 1, "SO_TIMESTAMPNS");
    set_option(socket, SOL_SOCKET, SO_RXQ_OVFL, 1, "SO_RXQ_OVFL");
}

DatagramReader::~DatagramReader() = default;

std::size_t DatagramReader::drain(std::span<Arrival> out) noexcept {
    SystemClock clock;
    std::size_t filled = 0;
    for (int batches = 0; batches < kMostBatches and filled < out.size(); ++batches) {
        const std::size_t most = std::min(kBatch, out.size() - filled);
        const std::size_t count = batch_->receive(fd_, most);
        const WallTime now = clock.wall_now();
        for (std::size_t i = 0; i < count; ++i) {
            filled += accept(i, now, out[filled]) ? 1 : 0;
        }
        if (count < most) {  // the socket is empty: the time for what is not on the way of packets
            read_kernel_drops();
            break;
        }
    }
    return filled;
}

bool DatagramReader::accept(std::size_t index, WallTime now, Arrival& out) noexcept {
    mmsghdr& message = batch_->messages[index];
    const Batch::Slot& slot = batch_->slots[index];
    const Extras extras = extras_of(message.msg_hdr);
    if (extras.has_drops) {
        see_kernel_drops(extras.drops);
    }
    if (host_key(slot.source) != expected_) {
        ++counts_.foreign;
        return false;
    }
    const std::size_t before = size_in_front(slot.start);
    if (message.msg_len < before) {
        ++counts_.malformed;
        return false;
    }
    const std::size_t have = std::min<std::size_t>(message.msg_len, slot.start.size()) - before;
    const auto prefix = parse_packet(std::span(slot.start).subspan(before, have), header_);
    if (not prefix or prefix->flow.value_or(flow_) != flow_) {
        ++counts_.malformed;
        return false;
    }
    if (not extras.stamped) {
        ++counts_.unstamped;
    }
    if (not remote_.valid()) {
        remote_ = SocketAddress(reinterpret_cast<const sockaddr*>(&slot.source), message.msg_hdr.msg_namelen);
    }
    out = {.received_at = extras.stamped ? extras.time : now,
           .header = *prefix,
           .size = static_cast<std::uint32_t>(message.msg_len - before)};
    return true;
}

// Raw sockets of IPv4 give the IP header as well, whose length stands in its first byte in words of 4 bytes.
std::size_t DatagramReader::size_in_front(std::span<const std::byte> start) const noexcept {
    return in_front_ == kIpHeaderAndIcmp
               ? std::to_integer<std::size_t>(start[0] & std::byte{0x0f}) * 4 + kIcmpHeaderSize
               : in_front_;
}

// SO_RXQ_OVFL comes with the next packet only: without this, what is dropped at the end of a run would go unseen.
void DatagramReader::read_kernel_drops() noexcept {
    std::array<std::uint32_t, SK_MEMINFO_VARS> info{};
    socklen_t size = sizeof info;
    if (::getsockopt(fd_, SOL_SOCKET, SO_MEMINFO, info.data(), &size) == 0 and
        size > SK_MEMINFO_DROPS * sizeof(std::uint32_t)) {
        see_kernel_drops(info[SK_MEMINFO_DROPS]);
    }
}

void DatagramReader::see_kernel_drops(std::uint32_t drops) noexcept {
    const auto more = static_cast<std::int32_t>(drops - last_drops_);
    if (more > 0) {  // a packet carries the count of when it came, which may be older than what was read since
        counts_.kernel_drops += static_cast<std::uint32_t>(more);
        last_drops_ = drops;
    }
}

}  // namespace groma
