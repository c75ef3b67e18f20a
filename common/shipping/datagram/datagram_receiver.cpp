#include "common/shipping/datagram/datagram_receiver.hpp"

#include <algorithm>

#include "common/shipping/datagram/datagram_rtt.hpp"

namespace groma {

namespace {

// Parts of the stream that may wait for what is missing between them.
constexpr std::size_t kMostParts = 1024;
// After so many datagrams an acknowledgement does not wait.
constexpr std::size_t kAckEvery = 2;

}  // namespace

DatagramReceiver::DatagramReceiver(std::size_t buffer) : ring_(buffer) {}

std::uint64_t DatagramReceiver::whole_to() const {
    const auto part = bytes_.around(read_to_);
    return part ? std::min(part->end, end_.value_or(part->end)) : read_to_;
}

bool DatagramReceiver::take(const DataField& data) {
    const std::uint64_t end = data.offset + data.bytes.size();
    const bool against_the_end = end_ and (end > *end_ or (data.last and end != *end_));
    const bool ends_too_early = data.last and not end_ and end < (bytes_.empty() ? read_to_ : bytes_.back().end);
    const bool too_scattered = bytes_.count() >= kMostParts and data.offset > whole_to();
    if (end > limit() or against_the_end or ends_too_early or too_scattered) {
        return false;
    }
    if (data.last) {
        end_ = end;
    }
    const std::uint64_t from = std::max(data.offset, read_to_);
    if (end > from) {
        ring_.put(from, data.bytes.subspan(static_cast<std::size_t>(from - data.offset)));
    }
    bytes_.add({from, end + (data.last ? 1 : 0)});
    return true;
}

void DatagramReceiver::came(std::uint64_t number, bool eliciting, MonoTime now) {
    const bool in_order = numbers_.empty() ? number == 0 : number == numbers_.back().end;
    if (numbers_.empty() or number >= numbers_.back().end) {
        newest_at_ = now;
    }
    numbers_.add({number, number + 1});
    if (numbers_.count() > kMostAckRanges) {
        floor_ = numbers_.front().end;
        numbers_.remove_below(floor_);
    }
    if (eliciting) {
        ++unacknowledged_;
        const bool at_once = not in_order or unacknowledged_ >= kAckEvery or end_.has_value();
        ack_at_ = std::min(ack_at_, at_once ? now : now + kLongestAckDelay);
    }
}

std::size_t DatagramReceiver::read(std::span<std::byte> out) {
    const std::size_t wanted = std::min(out.size(), readable());
    std::size_t done = 0;
    while (done < wanted) {
        const auto part = ring_.at(read_to_, wanted - done);
        std::ranges::copy(part, out.subspan(done).begin());
        done += part.size();
        read_to_ += part.size();
    }
    bytes_.remove_below(read_to_);
    if (done > 0 and limit() - told_limit_ >= ring_.capacity() / 2) {
        ack_at_ = MonoTime{};  // at once: the peer may be waiting for room
    }
    return done;
}

AckField DatagramReceiver::acknowledge(std::size_t ranges, MonoTime now) {
    AckField ack;
    ack.held_back = numbers_.empty() ? Nanos{0} : now - newest_at_;
    ack.limit = told_limit_ = limit();
    const auto all = numbers_.all();
    const std::size_t count = std::min({ranges, kMostAckRanges, all.size()});
    ack.came.assign(all.rbegin(), all.rbegin() + static_cast<std::ptrdiff_t>(count));
    unacknowledged_ = 0;
    ack_at_ = MonoTime::max();
    return ack;
}

}  // namespace groma
