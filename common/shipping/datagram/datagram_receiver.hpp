// The receiving half of a DatagramStream: puts the bytes in order and says what came. Holds no more than its buffer,
// whatever the peer sends. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/shipping/datagram/datagram_content.hpp"
#include "common/shipping/datagram/datagram_ranges.hpp"
#include "common/shipping/datagram/datagram_ring.hpp"
#include "common/time/instant.hpp"

namespace groma {

class DatagramReceiver {
public:
    explicit DatagramReceiver(std::size_t buffer);

    /// True for a datagram that came before (or so long ago that it is forgotten).
    [[nodiscard]] bool had(std::uint64_t number) const { return number < floor_ or numbers_.contains(number); }

    /// Returns: false when it cannot be taken: beyond the limit, in too many parts, against what was said of the end.
    [[nodiscard]] bool take(const DataField& data);

    /// A datagram was taken whole. `eliciting`: it wants an acknowledgement.
    void came(std::uint64_t number, bool eliciting, MonoTime now);

    [[nodiscard]] std::size_t readable() const { return static_cast<std::size_t>(whole_to() - read_to_); }
    /// Returns: how many bytes were put to `out`.
    std::size_t read(std::span<std::byte> out);
    /// Everything up to the stream's end was read.
    [[nodiscard]] bool ended() const { return end_ == read_to_; }

    /// When an acknowledgement is due; MonoTime::max() when none is.
    [[nodiscard]] MonoTime ack_due() const { return ack_at_; }
    [[nodiscard]] bool has_news() const { return ack_at_ != MonoTime::max(); }
    /// The acknowledgement to send, with so many ranges at most; from now on none is due.
    [[nodiscard]] AckField acknowledge(std::size_t ranges, MonoTime now);

private:
    [[nodiscard]] std::uint64_t whole_to() const;
    [[nodiscard]] std::uint64_t limit() const { return read_to_ + ring_.capacity(); }

    DatagramRing ring_;
    NumberRanges bytes_;  ///< of the stream that came; the end of the stream counts as a byte
    std::uint64_t read_to_ = 0;
    std::optional<std::uint64_t> end_;  ///< the length of the stream, once it is known

    NumberRanges numbers_;
    std::uint64_t floor_ = 0;  ///< numbers below it are forgotten
    MonoTime newest_at_{};     ///< when the highest of them came
    std::size_t unacknowledged_ = 0;
    MonoTime ack_at_ = MonoTime::max();
    std::uint64_t told_limit_ = 0;
};

}  // namespace groma
