#include "common/net/datagram_reader.hpp"

#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>

#include "common/net/icmp_packet.hpp"
#include "common/net/message_batch.hpp"
#include "common/net/socket.hpp"
#include "common/os/system_clock.hpp"
#include "common/wire/big_endian.hpp"
#include "common/wire/knock.hpp"

namespace groma {

namespace {

constexpr std::size_t kBatch = 64;
/// Batches in one drain(), so that a flood of foreign packets cannot keep it for ever.
constexpr int kMostBatches = 256;
constexpr int kReceiveBuffer = 8 << 20;
constexpr std::size_t kLongestDatagram = 65536;

}  // namespace

/// Memory that recvmmsg fills: one packet each, its source, its first bytes and its control messages.
struct DatagramReader::Batch {
    struct Slot {
        sockaddr_storage source{};
        std::array<iovec, 2> pieces{};
        std::array<std::byte, DatagramFormat::kMostInFront + kReplyHeaderSize> start{};
        alignas(cmsghdr) std::array<std::byte, kExtrasControlSize> control{};
    };

    std::array<mmsghdr, kBatch> messages{};
    std::array<Slot, kBatch> slots{};

    std::vector<std::byte> rest;  ///< of packets that are read to their end; nobody looks at it

    explicit Batch(bool to_the_end) : rest(to_the_end ? kLongestDatagram : 0) {
        for (std::size_t i = 0; i < kBatch; ++i) {
            slots[i].pieces = {iovec{.iov_base = slots[i].start.data(), .iov_len = slots[i].start.size()},
                               iovec{.iov_base = rest.data(), .iov_len = rest.size()}};
            msghdr& message = messages[i].msg_hdr;
            message.msg_name = &slots[i].source;
            message.msg_iov = slots[i].pieces.data();
            message.msg_iovlen = to_the_end ? 2 : 1;
            message.msg_control = slots[i].control.data();
        }
    }

    /// Returns: packets received; 0 with errno set when there are none, or when there was an error.
    std::size_t receive(int fd, std::size_t most) noexcept {
        for (std::size_t i = 0; i < most; ++i) {  // the kernel writes over these
            messages[i].msg_hdr.msg_namelen = sizeof(sockaddr_storage);
            messages[i].msg_hdr.msg_controllen = kExtrasControlSize;
        }
        const int count =
            ::recvmmsg(fd, messages.data(), static_cast<unsigned>(most), MSG_DONTWAIT | MSG_TRUNC, nullptr);
        return count > 0 ? static_cast<std::size_t>(count) : 0;
    }
};

DatagramReader::DatagramReader(const InboxSpec& spec, const FileDescriptor& socket, const DatagramFormat& format)
    : flow_(spec.flow),
      header_(spec.header),
      expected_(spec.expected_peer.host_key()),
      format_(format),
      fd_(socket.get()),
      batch_(std::make_unique<Batch>(format.hides_length)),
      icmp_sequences_(spec.meter == Meter::round_trip and format.in_front > 0 ? kBatch : 0) {
    ask_for_buffer(socket, SO_RCVBUF, kReceiveBuffer);
    stamps_ = ask_for_extras(socket, spec);
    header_wanted_ = spec.options.arrival_header.value_or(false);
}

DatagramReader::~DatagramReader() = default;

std::size_t DatagramReader::drain(std::span<Arrival> out) noexcept {
    if (not icmp_sequences_.empty()) {
        out = out.first(std::min(out.size(), icmp_sequences_.size()));
    }
    SystemClock clock;
    std::size_t filled = 0;
    for (int batches = 0; batches < kMostBatches and filled < out.size(); ++batches) {
        const std::size_t most = std::min(kBatch, out.size() - filled);
        const std::size_t count = batch_->receive(fd_, most);
        if (count == 0 and pass_over_error()) {
            continue;
        }
        const WallTime now = clock.wall_now();
        for (std::size_t i = 0; i < count; ++i) {
            if (accept(i, now, out[filled])) {
                if (not icmp_sequences_.empty()) {
                    icmp_sequences_[filled] = icmp_sequence(i);
                }
                ++filled;
            }
        }
        if (count < most) {  // the socket is empty: the time for what is not on the way of packets
            read_kernel_drops();
            break;
        }
    }
    return filled;
}

// A sender's socket says of its packets what became of them (message_batch.hpp): first as an error, which comes once,
// then in a queue of details. As long as there is one of either, it counts as readable.
bool DatagramReader::pass_over_error() noexcept {
    if (format_.kind == PacketKind::packet) {
        return false;
    }
    const int error = errno;
    counts_.refused += error == ECONNREFUSED ? 1 : 0;
    if (not format_.leaves_reports) {
        clear_error_reports(fd_);
    }
    return may_report_an_earlier_packet(error);
}

bool DatagramReader::accept(std::size_t index, WallTime now, Arrival& out) noexcept {
    mmsghdr& message = batch_->messages[index];
    const Batch::Slot& slot = batch_->slots[index];
    const DatagramExtras extras = extras_of(message.msg_hdr);
    if (extras.drops) {
        see_kernel_drops(*extras.drops);
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
    const auto bytes = std::span(slot.start).subspan(before, have);
    if (message.msg_len - before == kKnockBytes and parse_knock(bytes)) {
        return false;  // of a receiver that dials, among its replies: it only keeps the way open
    }
    const auto start = parse(bytes);
    if (not start or start->header.flow.value_or(flow_) != flow_) {
        ++counts_.malformed;
        return false;
    }
    const bool stamped =
        stamps_.source == StampSource::hardware ? extras.hardware.has_value() : extras.software.has_value();
    if (not stamped and stamps_.source != StampSource::user) {
        ++counts_.unstamped;
    }
    if (not remote_.valid()) {
        remote_ = SocketAddress(reinterpret_cast<const sockaddr*>(&slot.source), message.msg_hdr.msg_namelen);
    }
    out = {.received_at = extras.time().value_or(now),
           .header = start->header,
           .size = static_cast<std::uint32_t>(message.msg_len - before),
           .ttl = extras.ttl,
           .ds_byte = extras.ds_byte,
           .reflected_at = start->stamps.reflected_at,
           .replied_at = start->stamps.replied_at};
    if (header_wanted_ and format_.in_front == DatagramFormat::kIpHeaderAndIcmp) {
        out.ttl = std::to_integer<std::uint8_t>(slot.start[8]);  // RFC 791, 3.1
        out.ds_byte = std::to_integer<std::uint8_t>(slot.start[1]);
    }
    return true;
}

std::optional<Reply> DatagramReader::parse(std::span<const std::byte> start) const noexcept {
    if (format_.kind == PacketKind::reply) {
        return parse_reply(start, header_);
    }
    const auto header = parse_packet(start, header_);
    return header ? std::optional(Reply{.header = *header, .stamps = {}}) : std::nullopt;
}

std::uint16_t DatagramReader::icmp_sequence(std::size_t index) const noexcept {
    const Batch::Slot& slot = batch_->slots[index];
    return load_big_endian<std::uint16_t>(std::span(slot.start).subspan(size_in_front(slot.start) - 2));
}

// Raw sockets of IPv4 give the IP header as well, whose length stands in its first byte in words of 4 bytes.
std::size_t DatagramReader::size_in_front(std::span<const std::byte> start) const noexcept {
    return format_.in_front == DatagramFormat::kIpHeaderAndIcmp
               ? std::to_integer<std::size_t>(start[0] & std::byte{0x0f}) * 4 + kIcmpHeaderSize
               : format_.in_front;
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
