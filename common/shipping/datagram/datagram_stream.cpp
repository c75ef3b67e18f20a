#include "common/shipping/datagram/datagram_stream.hpp"

#include <algorithm>

#include "common/base/errors.hpp"

namespace groma {

namespace {

// The most datagrams at once, whatever has accumulated.
constexpr double kBurst = 10;
// A little faster than the window opens, so that the pace does not limit it (RFC 9002, 7.7).
constexpr double kPaceGain = 1.25;
constexpr double kSlowStartGain = 2;
constexpr double kUnlimited = 1e12;
// A cap allows bursts of its rate times this.
constexpr double kCapSeconds = 0.02;
constexpr unsigned kFarewells = 3;
// Consecutive time-outs after which a path is assumed to lose large datagrams (RFC 8899, 4.3).
constexpr unsigned kBlackHole = 3;

DatagramPacer cap_of(double rate, double datagram, MonoTime now) {
    return {rate, std::clamp(rate * kCapSeconds, 1.0, kBurst * datagram), now};
}

}  // namespace

DatagramStream::DatagramStream(const DatagramIdentity& identity, const DatagramStreamSettings& settings, MonoTime now)
    : is_shipper_(identity.is_shipper),
      connection_(identity.connection),
      sealing_(is_shipper_ ? identity.keys.from_shipper : identity.keys.from_server),
      unsealing_(is_shipper_ ? identity.keys.from_server : identity.keys.from_shipper),
      settings_(settings),
      datagram_(std::clamp(settings.datagram, kShortestDatagram, kLongestDatagram)),
      sender_(settings.send_buffer, datagram_, now),
      receiver_(settings.receive_buffer),
      pacer_(kUnlimited, kBurst * static_cast<double>(datagram_), now),
      last_heard_(now) {
    check(settings.receive_buffer >= (64U << 10U), "a receive buffer is smaller than what peers take for granted");
    if (settings.bytes_per_second) {
        cap_ = cap_of(std::max(*settings.bytes_per_second, 1.0), static_cast<double>(datagram_), now);
    }
}

void DatagramStream::close() {
    if (state_ == State::open) {
        state_ = State::closed;
        farewells_ = kFarewells;
    }
}

bool DatagramStream::on_datagram(std::span<const std::byte> datagram, MonoTime now) {
    const auto kind = is_shipper_ ? DatagramKind::from_server : DatagramKind::from_shipper;
    const auto opened = unseal(datagram, kind, connection_, unsealing_);
    if (not opened) {
        ++counts_.foreign;
        return false;
    }
    if (state_ != State::open) {
        return false;
    }
    if (receiver_.had(opened->number)) {
        ++counts_.repeats;
        return false;
    }
    const auto content = parse_content(opened->content);
    if (opened->number >= kHighestNumber or not content or not take(*content, opened->number, now)) {
        ++counts_.malformed;
        return false;
    }
    ++counts_.received;
    last_heard_ = now;
    return true;
}

bool DatagramStream::take(const DatagramContent& content, std::uint64_t number, MonoTime now) {
    if (content.data and not receiver_.take(*content.data)) {
        return false;
    }
    if (content.ack and not sender_.on_ack(*content.ack, now)) {
        return false;
    }
    receiver_.came(number, content.data or content.ping, now);
    if (content.ack) {
        follow_the_window(now);
    }
    if (content.closing) {
        state_ = State::closed_by_peer;
    }
    return true;
}

void DatagramStream::follow_the_window(MonoTime now) {
    if (sender_.rtt().known()) {
        const double gain = sender_.window().in_slow_start() ? kSlowStartGain : kPaceGain;
        pacer_.set(gain * static_cast<double>(sender_.window().bytes()) / to_seconds(sender_.rtt().smoothed()),
                   kBurst * static_cast<double>(datagram_), now);
    }
}

void DatagramStream::on_time(MonoTime now) {
    if (now - last_heard_ >= settings_.silence) {
        state_ = State::silent;
        return;
    }
    sender_.on_time(now);
    if (sender_.silences() >= kBlackHole and datagram_ > kSafeDatagram) {
        limit_datagram(kSafeDatagram);
    }
}

bool DatagramStream::may_send(MonoTime now) {
    return pacer_.may_send(now) and (not cap_ or cap_->may_send(now));
}

DatagramContent DatagramStream::next_content(std::size_t room, MonoTime now) {
    DatagramContent content;
    const bool ack_is_due = receiver_.ack_due() <= now;
    const bool has_data = sender_.has_next() and may_send(now);
    if (ack_is_due or (has_data and receiver_.has_news())) {
        // Beside data, an acknowledgement takes at most half of the room.
        const std::size_t for_ranges = (has_data ? room / 2 : room) - ack_bytes(1) - 1;
        content.ack = receiver_.acknowledge(1 + for_ranges / 8, now);
    }
    if (has_data) {
        const std::size_t used =
            kDataOverhead + (content.ack ? ack_bytes(std::max<std::size_t>(content.ack->came.size(), 1)) : 0);
        content.data = sender_.next(room - used);
        content.ping = sender_.next_is_ping();
    } else if (keep_alive_at() <= now and may_send(now)) {
        content.ping = true;
    }
    return content;
}

std::size_t DatagramStream::next_datagram(std::span<std::byte> out, MonoTime now) {
    check(out.size() >= datagram_, "no room for a datagram");
    if (state_ == State::open) {
        on_time(now);
    }
    if (state_ == State::closed and farewells_ > 0) {
        --farewells_;
        DatagramContent farewell;
        farewell.closing = true;
        return send(farewell, out, now);
    }
    if (state_ != State::open) {
        return 0;
    }
    const DatagramContent content = next_content(datagram_ - kSealBytes, now);
    if (not content.ack and not content.data and not content.ping) {
        return 0;
    }
    return send(content, out, now);
}

std::size_t DatagramStream::send(const DatagramContent& content, std::span<std::byte> out, MonoTime now) {
    const std::size_t length = serialize(content, out.subspan(kDatagramHeader, out.size() - kSealBytes));
    const auto kind = is_shipper_ ? DatagramKind::from_shipper : DatagramKind::from_server;
    const std::size_t bytes = seal(out, length, {kind, connection_, sender_.number()}, sealing_);
    sender_.on_sent(content.data, content.data or content.ping, bytes, now);
    const auto on_wire = static_cast<double>(bytes + settings_.wire_overhead);
    if (content.data or content.ping) {
        pacer_.sent(on_wire, now);
    }
    if (cap_) {
        cap_->sent(on_wire, now);
    }
    ++counts_.sent;
    counts_.sent_bytes += bytes + settings_.wire_overhead;
    return bytes;
}

MonoTime DatagramStream::keep_alive_at() const {
    if (not settings_.keep_alive or sender_.anything_in_flight()) {
        return MonoTime::max();
    }
    return last_heard_ + *settings_.keep_alive;
}

MonoTime DatagramStream::next_deadline() const {
    if (state_ != State::open) {
        return farewells_ > 0 ? MonoTime{} : MonoTime::max();
    }
    MonoTime next = std::min(receiver_.ack_due(), last_heard_ + settings_.silence);
    next = std::min(next, sender_.deadline());
    MonoTime sending = keep_alive_at();
    if (sender_.has_next()) {
        sending = MonoTime{};
    }
    if (sending != MonoTime::max()) {
        sending = std::max(sending, pacer_.ready_at());
        sending = cap_ ? std::max(sending, cap_->ready_at()) : sending;
    }
    return std::min(next, sending);
}

void DatagramStream::limit_datagram(std::size_t bytes) {
    datagram_ = std::min(datagram_, std::max(bytes, kShortestDatagram));
    sender_.limit_datagram(datagram_);
}

}  // namespace groma
