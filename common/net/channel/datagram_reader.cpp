#include "common/net/channel/datagram_reader.hpp"

#include <netinet/in.h>

#include <algorithm>
#include <cerrno>

#include "common/net/channel/message_batch.hpp"
#include "common/net/socket/socket.hpp"
#include "common/wire/big_endian.hpp"
#include "common/wire/icmp_packet.hpp"
#include "common/wire/punch.hpp"

namespace groma {

namespace {

/// Batches in one drain(), so that a flood of foreign packets cannot keep it for ever.
constexpr int kMostBatches = 256;
/// Messages in one call once they may hold several packets, and how many the kernel usually puts in one at most.
constexpr std::size_t kMostCoalesced = 16;
constexpr std::size_t kUsualMessage = 64;
static_assert(ReceiveBatch::kStart >= DatagramFormat::kMostInFront + kSealedReply);

}  // namespace

DatagramReader::DatagramReader(const InboxSpec& spec, const FileDescriptor& socket, Clock& clock,
                               const DatagramFormat& format)
    : flow_(spec.flow),
      packets_(spec.format()),
      shared_(traits(spec.transport).sharing == SocketSharing::by_header and spec.options.association.has_value()),
      expected_(spec.expected_peer.host_key()),
      format_(format),
      fd_(socket.get()),
      clock_(clock),
      reading_(format.hides_length ? ReceiveBatch::Reading::to_the_end : ReceiveBatch::Reading::start),
      icmp_sequences_(spec.meter == Meter::round_trip and format.in_front > 0 ? ReceiveBatch::kMost : 0),
      header_wanted_(spec.options.arrival_header.value_or(false)),
      gro_(fd_, clock) {
    ask_for_buffer(socket, SO_RCVBUF, kReceiveBuffer);
    StampSettings stamps = ask_for_extras(socket, spec);
    stamps_ = stamps.source;
    if (not stamps.warning.empty()) {
        warnings_.push_back(std::move(stamps.warning));
    }
    if (traits(spec.transport).segments) {
        gro_.prepare(spec, warnings_);
    }
    if (gro_.started()) {
        expect_several_packets();
    }
}

// Messages of several packets can come as soon as the option is set.
void DatagramReader::expect_several_packets() noexcept {
    reading_ = ReceiveBatch::Reading::to_the_end;
    packets_in_message_ = kUsualMessage;
}

std::string_view DatagramReader::timestamps() const noexcept {
    return gro_.started() and stamps_ == StampSource::kernel ? "kernel software (GRO)" : stamps_in_words(stamps_);
}

std::size_t DatagramReader::drain(std::span<Arrival> out) noexcept {
    if (not icmp_sequences_.empty()) {
        out = out.first(std::min(out.size(), icmp_sequences_.size()));
        icmp_taken_ = 0;
    }
    std::size_t filled = take_held(out);
    for (int batches = 0; batches < kMostBatches and filled < out.size(); ++batches) {
        const std::size_t messages = (out.size() - filled) / packets_in_message_;
        if (messages == 0 and filled > 0) {
            break;
        }
        const std::size_t most =
            std::clamp<std::size_t>(messages, 1, gro_.started() ? kMostCoalesced : ReceiveBatch::kMost);
        ReceiveBatch& batch = ReceiveBatch::of_this_thread(reading_);
        const std::size_t count = batch.receive(fd_, most);
        if (count == 0 and pass_over_error()) {
            continue;
        }
        const WallTime now = clock_.wall_now();
        packets_in_message_ = count > 0 ? 1 : packets_in_message_;
        for (std::size_t i = 0; i < count; ++i) {
            filled += take({batch, i, extras_of(batch.header(i)), now}, out.subspan(filled));
        }
        if (count < most) {  // the socket is empty: the time for what is not on the way of packets
            check_memory();
            break;
        }
        if (gro_.watches()) {
            check_memory();
        }
    }
    return filled;
}

std::size_t DatagramReader::take_held(std::span<Arrival> out) noexcept {
    const std::size_t count = std::min(out.size(), held_.size() - held_taken_);
    std::copy_n(held_.begin() + static_cast<std::ptrdiff_t>(held_taken_), count, out.begin());
    held_taken_ += count;
    if (held_taken_ == held_.size()) {
        held_ = {};
        held_taken_ = 0;
    }
    return count;
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

std::size_t DatagramReader::take(const Received& message, std::span<Arrival> out) noexcept {
    if (message.extras.drops) {
        see_kernel_drops(*message.extras.drops);
    }
    const std::size_t size = message.batch.size(message.index);
    const std::size_t each = message.extras.packet_size > 0 ? message.extras.packet_size : size;
    const std::size_t packets = each == 0 ? 1 : (size + each - 1) / each;  // the last one may be shorter
    packets_in_message_ = std::max(packets_in_message_, packets);
    if (host_key(message.batch.source(message.index)) != expected_) {
        counts_.foreign += packets;
        return 0;
    }
    const std::span<const std::byte> bytes = message.batch.bytes(message.index);
    std::size_t filled = 0;
    for (std::size_t i = 0; i < packets; ++i) {
        const std::size_t from = i * each;
        const std::size_t length = std::min(each, size - from);
        const auto start = bytes.subspan(from, std::min(length, bytes.size() - from));
        const bool has_room = filled < out.size();
        Arrival& place = has_room ? out[filled] : held_.emplace_back();
        const bool accepted = accept(message, start, length, place);
        if (accepted) {
            filled += has_room ? 1 : 0;
            counts_.coalesced += packets > 1 ? 1 : 0;
        } else if (not has_room) {
            held_.pop_back();
        }
        if (accepted and not icmp_sequences_.empty()) {
            icmp_sequences_[icmp_taken_++] = icmp_sequence(start);
        }
    }
    return filled;
}

bool DatagramReader::accept(const Received& message, std::span<const std::byte> start, std::size_t size,
                            Arrival& out) noexcept {
    const std::size_t before = size_in_front(start);
    if (size < before) {
        ++counts_.malformed;
        return false;
    }
    const auto packet = start.subspan(before);
    if (size - before == kPunchBytes and parse_punch(packet)) {
        return false;  // of a receiver that dials, among its replies: it only keeps the way open
    }
    const auto [parsed, forged] = packets_.read(packet, size - before, format_.kind);
    if (not parsed or not is_for_us(parsed->header)) {
        ++(forged ? counts_.forged : counts_.malformed);
        return false;
    }
    const DatagramExtras& extras = message.extras;
    const bool stamped = stamps_ == StampSource::hardware ? extras.hardware.has_value() : extras.software.has_value();
    if (not stamped and stamps_ != StampSource::user) {
        ++counts_.unstamped;
    }
    if (not remote_.valid()) {
        const msghdr& header = message.batch.header(message.index);
        remote_ = SocketAddress(static_cast<const sockaddr*>(header.msg_name), header.msg_namelen);
    }
    out = {.received_at = extras.time().value_or(message.read_at),
           .header = parsed->header,
           .size = static_cast<std::uint32_t>(size - before),
           .ttl = extras.ttl,
           .ds_byte = extras.ds_byte,
           .reflected_at = parsed->stamps.reflected_at,
           .replied_at = parsed->stamps.replied_at};
    if (header_wanted_ and format_.in_front == DatagramFormat::kIpHeaderAndIcmp) {
        out.ttl = std::to_integer<std::uint8_t>(start[8]);  // RFC 791, 3.1
        out.ds_byte = std::to_integer<std::uint8_t>(start[1]);
    }
    return true;
}

// Of flows that share the socket whoever hands them out knows which there are.
bool DatagramReader::is_for_us(const PacketPrefix& header) const noexcept {
    return shared_ ? header.flow.has_value() : header.flow.value_or(flow_) == flow_;
}

std::uint16_t DatagramReader::icmp_sequence(std::span<const std::byte> start) const noexcept {
    return load_big_endian<std::uint16_t>(start.subspan(size_in_front(start) - 2));
}

// Raw sockets of IPv4 give the IP header as well, whose length stands in its first byte in words of 4 bytes.
std::size_t DatagramReader::size_in_front(std::span<const std::byte> start) const noexcept {
    return format_.in_front == DatagramFormat::kIpHeaderAndIcmp and not start.empty()
               ? std::to_integer<std::size_t>(start[0] & std::byte{0x0f}) * 4 + kIcmpHeaderSize
               : format_.in_front;
}

// SO_RXQ_OVFL comes with the next packet only: without this, what is dropped at the end of a run would go unseen.
void DatagramReader::check_memory() noexcept {
    const auto memory = memory_of(fd_);
    if (not memory) {
        return;
    }
    see_kernel_drops(memory->drops);
    if (gro_.check(*memory)) {
        expect_several_packets();
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
