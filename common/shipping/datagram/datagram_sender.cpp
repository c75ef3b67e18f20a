#include "common/shipping/datagram/datagram_sender.hpp"

#include <algorithm>

namespace groma {

namespace {

// What every receiver takes before it has said how much it takes.
constexpr std::uint64_t kFirstLimit = 64U << 10U;
// A datagram is lost when one that was sent so many later has come.
constexpr std::uint64_t kReordering = 3;
constexpr Nanos kLongestTimeout = std::chrono::seconds(1);
constexpr unsigned kProbes = 2;
// So many time-outs in a row are no chance any more.
constexpr unsigned kSilence = 3;

}  // namespace

DatagramSender::DatagramSender(std::size_t buffer, std::size_t datagram, MonoTime now)
    : ring_(buffer), limit_(kFirstLimit), last_sent_(now), window_(datagram) {}

std::size_t DatagramSender::write(std::span<const std::byte> bytes) {
    const auto taken = finished_ ? std::span<const std::byte>{} : bytes.first(std::min(bytes.size(), room()));
    ring_.put(written_, taken);
    written_ += taken.size();
    return taken.size();
}

std::uint64_t DatagramSender::sendable_end() const {
    const std::uint64_t end = std::min(written_, limit_);
    return end == written_ ? stream_end() : end;
}

std::optional<NumberRange> DatagramSender::probe_range() const {
    // First what the peer misses longest, then the end of what was sent, which the first probe does not carry.
    std::optional<NumberRange> range;
    for (const Sent& sent : sent_) {
        const bool is_candidate = sent.flying and sent.data.end > base_;
        if (is_candidate and (not range or (probes_ < kProbes and sent.data.end > range->end))) {
            range = sent.data;
        }
    }
    return range;
}

std::optional<NumberRange> DatagramSender::next_range() const {
    if (probes_ == 0 and not window_is_open()) {
        return std::nullopt;
    }
    if (not resend_.empty()) {
        return resend_.front();
    }
    if (probes_ > 0) {
        if (const auto range = probe_range()) {
            return range;
        }
    }
    if (has_new()) {
        return NumberRange{next_, sendable_end()};
    }
    return std::nullopt;
}

std::optional<DataField> DatagramSender::next(std::size_t room) {
    auto range = next_range();
    if (not range) {
        return std::nullopt;
    }
    // Some of a probe's bytes may have been acknowledged through another datagram.
    range->begin = std::max(range->begin, base_);
    const auto wanted = static_cast<std::size_t>(std::min(range->end, written_) - std::min(range->begin, written_));
    DataField data{.offset = range->begin, .bytes = ring_.at(range->begin, std::min(wanted, room)), .last = false};
    data.last = range->end > written_ and data.offset + data.bytes.size() == written_;
    return data;
}

void DatagramSender::on_sent(const std::optional<DataField>& data, bool eliciting, std::size_t bytes, MonoTime now) {
    NumberRange range;
    if (data) {
        range = {data->offset, data->offset + data->bytes.size() + (data->last ? 1 : 0)};
        counts_.again += range.begin < next_ ? 1 : 0;
        next_ = std::max(next_, range.end);
        resend_.remove(range);
    }
    sent_.push_back({now, range, bytes, eliciting});
    if (eliciting) {
        ++flying_;
        in_flight_ += bytes;
        last_sent_ = now;
        counts_.probes += probes_ > 0 ? 1 : 0;
        probes_ -= probes_ > 0 ? 1 : 0;
    }
    forget_done();
}

void DatagramSender::acknowledge(Sent& sent) {
    sent.flying = false;
    --flying_;
    in_flight_ -= sent.bytes;
    acked_.add(sent.data);
    resend_.remove(sent.data);
}

std::size_t DatagramSender::acknowledge_all(const AckField& ack, std::uint64_t& newest, MonoTime now) {
    std::size_t bytes = 0;
    for (const NumberRange& range : ack.came) {
        for (std::uint64_t number = std::max(range.begin, first_); number < range.end; ++number) {
            Sent& sent = sent_[static_cast<std::size_t>(number - first_)];
            if (not sent.flying) {
                continue;
            }
            if (number + 1 == ack.came.front().end) {
                rtt_.on_sample(now - sent.at, ack.held_back);
            }
            newest = std::max(newest, number);
            bytes += sent.bytes;
            acknowledge(sent);
        }
    }
    return bytes;
}

bool DatagramSender::on_ack(const AckField& ack, MonoTime now) {
    if (not ack.came.empty() and ack.came.front().end > number()) {
        return false;
    }
    limit_ = std::max(limit_, ack.limit);
    if (ack.came.empty()) {
        return true;
    }
    const std::size_t before = in_flight_;
    std::uint64_t newest = 0;
    const std::size_t bytes = acknowledge_all(ack, newest, now);
    highest_acked_ = std::max(highest_acked_.value_or(0), ack.came.front().end - 1);
    if (bytes > 0) {
        silences_ = 0;
        probes_ = 0;
        window_.on_acked(bytes, before, newest);
    }
    detect_losses(now);
    base_ = acked_.around(base_).value_or(NumberRange{base_, base_}).end;
    acked_.remove_below(base_);
    resend_.remove_below(base_);
    forget_done();
    return true;
}

void DatagramSender::detect_losses(MonoTime now) {
    loss_at_ = MonoTime::max();
    for (std::uint64_t number = first_; highest_acked_ and number < *highest_acked_; ++number) {
        if (number - first_ >= sent_.size()) {
            break;
        }
        Sent& sent = sent_[static_cast<std::size_t>(number - first_)];
        if (not sent.flying) {
            continue;
        }
        const MonoTime due = sent.at + rtt_.loss_delay();
        if (*highest_acked_ - number < kReordering and due > now) {
            loss_at_ = due;  // those after it are later still
            break;
        }
        window_.on_lost(number, this->number());
        lose(sent);
    }
}

void DatagramSender::lose(Sent& sent) {
    sent.flying = false;
    --flying_;
    in_flight_ -= sent.bytes;
    ++counts_.lost;
    resend_.add({std::max(sent.data.begin, std::min(base_, sent.data.end)), sent.data.end});
    for (const NumberRange& acked : acked_.all()) {
        if (acked.begin >= sent.data.end) {
            break;
        }
        resend_.remove(acked);
    }
}

void DatagramSender::forget_done() {
    while (not sent_.empty() and not sent_.front().flying) {
        sent_.pop_front();
        ++first_;
    }
}

MonoTime DatagramSender::probe_at() const {
    if (probes_ > 0 or (flying_ == 0 and not is_blocked())) {
        return MonoTime::max();
    }
    const Nanos timeout = std::min<Nanos>(rtt_.timeout() * (1 << std::min(silences_, 10U)), kLongestTimeout);
    return last_sent_ + timeout;
}

MonoTime DatagramSender::deadline() const {
    return std::min(loss_at_, probe_at());
}

void DatagramSender::on_time(MonoTime now) {
    if (loss_at_ <= now) {
        detect_losses(now);
        forget_done();
    }
    if (probe_at() <= now) {
        probes_ = kProbes;
        ++silences_;
        if (silences_ == kSilence) {
            window_.on_silence();
        }
    }
}

void DatagramSender::limit_datagram(std::size_t bytes) {
    window_.set_datagram(bytes);
    for (Sent& sent : sent_) {
        if (sent.flying and sent.bytes > bytes) {
            lose(sent);
        }
    }
    forget_done();
}

}  // namespace groma
