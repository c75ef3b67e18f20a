// The sending half of a DatagramStream: keeps bytes until they are acknowledged, knows which datagram carried which of
// them, finds out what was lost (RFC 9002 sections 5 and 6), and says what to send next. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>

#include "common/shipping/datagram/datagram_congestion.hpp"
#include "common/shipping/datagram/datagram_content.hpp"
#include "common/shipping/datagram/datagram_ranges.hpp"
#include "common/shipping/datagram/datagram_ring.hpp"
#include "common/shipping/datagram/datagram_rtt.hpp"
#include "common/time/instant.hpp"

namespace groma {

struct SenderCounts {
    std::uint64_t lost = 0;    ///< datagrams taken for lost
    std::uint64_t again = 0;   ///< datagrams sent with bytes that had been sent before
    std::uint64_t probes = 0;  ///< datagrams sent because nothing came back
};

class DatagramSender {
public:
    DatagramSender(std::size_t buffer, std::size_t datagram, MonoTime now);

    /// Returns: how many bytes were taken; fewer when the buffer is full.
    std::size_t write(std::span<const std::byte> bytes);
    [[nodiscard]] std::size_t room() const { return ring_.capacity() - static_cast<std::size_t>(written_ - base_); }
    /// The stream ends behind what was written.
    void finish() { finished_ = true; }
    /// Everything, the end included, is acknowledged.
    [[nodiscard]] bool done() const { return finished_ and base_ > written_; }

    /// Returns: false when it acknowledges what was never sent.
    [[nodiscard]] bool on_ack(const AckField& ack, MonoTime now);

    /// Does what is due by `now`: looks for losses, asks for probes.
    void on_time(MonoTime now);
    [[nodiscard]] MonoTime deadline() const;

    /// What a datagram should carry now if the pace allows it; nothing when there is nothing or the window is full.
    /// A ping is due instead when next_is_ping(). `room`: bytes of data that fit.
    [[nodiscard]] std::optional<DataField> next(std::size_t room);
    [[nodiscard]] bool has_next() const {
        return probes_ > 0 or (window_is_open() and (not resend_.empty() or has_new()));
    }
    [[nodiscard]] bool next_is_ping() const { return probes_ > 0 and not next_range(); }

    /// The number of the next datagram.
    [[nodiscard]] std::uint64_t number() const { return first_ + sent_.size(); }
    /// It was sent with this data, or none; `eliciting` when it wants an acknowledgement.
    void on_sent(const std::optional<DataField>& data, bool eliciting, std::size_t bytes, MonoTime now);

    /// Datagrams carry no more than this; larger ones that are on their way will not arrive.
    void limit_datagram(std::size_t bytes);

    [[nodiscard]] bool anything_in_flight() const { return flying_ > 0; }
    /// So many times in a row nothing came back in time.
    [[nodiscard]] unsigned silences() const { return silences_; }
    [[nodiscard]] const RttEstimator& rtt() const { return rtt_; }
    [[nodiscard]] const CongestionWindow& window() const { return window_; }
    [[nodiscard]] std::size_t in_flight() const { return in_flight_; }
    [[nodiscard]] const SenderCounts& counts() const { return counts_; }

private:
    struct Sent {
        MonoTime at;
        NumberRange data;  ///< of the stream; its end counts as a byte
        std::size_t bytes;
        bool flying;
    };

    [[nodiscard]] bool window_is_open() const { return in_flight_ < window_.bytes(); }
    [[nodiscard]] std::uint64_t stream_end() const { return written_ + (finished_ ? 1 : 0); }
    [[nodiscard]] std::uint64_t sendable_end() const;
    [[nodiscard]] bool has_new() const { return next_ < sendable_end(); }
    /// Bytes wait for the peer to make room, and no datagram is on its way that would tell us that it has.
    [[nodiscard]] bool is_blocked() const { return flying_ == 0 and next_ < stream_end() and not has_new(); }
    [[nodiscard]] MonoTime probe_at() const;
    [[nodiscard]] std::optional<NumberRange> probe_range() const;
    [[nodiscard]] std::optional<NumberRange> next_range() const;
    void acknowledge(Sent& sent);
    std::size_t acknowledge_all(const AckField& ack, std::uint64_t& newest, MonoTime now);
    void detect_losses(MonoTime now);
    void lose(Sent& sent);
    void forget_done();

    DatagramRing ring_;
    std::uint64_t base_ = 0;     ///< bytes below it are acknowledged
    std::uint64_t next_ = 0;     ///< the first that was never sent
    std::uint64_t written_ = 0;  ///< one past the last that was handed over
    bool finished_ = false;
    std::uint64_t limit_;  ///< the peer takes bytes below it
    NumberRanges acked_;   ///< above base_
    NumberRanges resend_;

    std::deque<Sent> sent_;
    std::uint64_t first_ = 0;  ///< number of sent_.front()
    std::optional<std::uint64_t> highest_acked_;
    std::size_t flying_ = 0;
    std::size_t in_flight_ = 0;
    MonoTime last_sent_;
    MonoTime loss_at_ = MonoTime::max();
    unsigned silences_ = 0;
    unsigned probes_ = 0;
    RttEstimator rtt_;
    CongestionWindow window_;
    SenderCounts counts_;
};

}  // namespace groma
