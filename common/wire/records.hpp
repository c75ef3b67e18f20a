// Records of one packet: fixed-size values that the packet path passes to the log. They own no memory.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "common/base/ids.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// A packet sent, written by the sender.
struct SentRecord {
    std::uint64_t seq = 0;
    WallTime sent_at{};       ///< the stamp in the packet, taken just before the send call
    Nanos lateness{0};        ///< sent_at minus the scheduled departure, on the monotonic clock
    std::uint32_t size = 0;   ///< payload bytes
    std::uint32_t batch = 1;  ///< packets in this packet's send call (1 = alone)

    bool operator==(const SentRecord&) const = default;
};

/// A packet received, written by the receiver.
struct ReceivedRecord {
    /// `sent_at` of a packet too small to carry it.
    static constexpr WallTime kNoTime = wall_time_from_ns(std::numeric_limits<std::int64_t>::min());
    /// `seq` of a packet too small to carry it, or of a flow without it: records then count arrivals.
    static constexpr std::uint64_t kNoSeq = std::numeric_limits<std::uint64_t>::max();

    std::uint64_t seq = kNoSeq;
    WallTime sent_at = kNoTime;
    WallTime received_at{};    ///< the kernel's stamp if there is one (the log's metadata says which)
    std::uint32_t size = 0;    ///< payload bytes
    std::uint8_t ttl = 0;      ///< TTL or hop limit on arrival; 0: not requested or unknown
    std::uint8_t ds_byte = 0;  ///< on arrival, if `ttl` is not 0

    bool operator==(const ReceivedRecord&) const = default;
};

/// A packet that came back from the receiver (round-trip meter), written by the sender.
struct RoundTripRecord {
    std::uint64_t seq = ReceivedRecord::kNoSeq;       ///< as in ReceivedRecord
    WallTime sent_at = ReceivedRecord::kNoTime;       ///< from the reply; the sender's clock
    WallTime returned_at{};                           ///< the sender's clock
    WallTime reflected_at = ReceivedRecord::kNoTime;  ///< when the receiver got it, on its clock, if the reply had room
    WallTime replied_at = ReceivedRecord::kNoTime;    ///< just before the reply was sent; kNoTime if reflected_at is
    std::uint32_t size = 0;                           ///< of the reply's payload

    bool operator==(const RoundTripRecord&) const = default;
};

/// When a packet left by the sender's kernel or hardware; written by the sender on request.
struct TransmitRecord {
    std::uint64_t seq = 0;
    WallTime transmitted_at{};

    bool operator==(const TransmitRecord&) const = default;
};

/// The state of a connection at one time by its kernel (TCP_INFO, SCTP_STATUS and others); written by either side.
/// Values that the protocol lacks are empty.
struct ConnectionSample {
    WallTime at{};
    std::optional<Nanos> rtt{};  ///< smoothed
    std::optional<Nanos> rtt_variation{};
    std::optional<std::uint64_t> cwnd{};           ///< congestion window, bytes
    std::optional<std::uint64_t> ssthresh{};       ///< slow start threshold, bytes; empty while there is none
    std::optional<std::uint64_t> in_flight{};      ///< bytes sent and not acknowledged
    std::optional<std::uint64_t> retransmitted{};  ///< segments or chunks since the connection began
    std::optional<std::uint64_t> retransmitted_bytes{};
    std::optional<std::uint64_t> delivery_rate_bps{};
    std::optional<std::uint64_t> pacing_rate_bps{};
    std::optional<std::uint64_t> segment{};  ///< largest segment or packet, bytes
    std::optional<Nanos> min_rtt{};          ///< smallest of the last minutes, not smoothed
    /// 1: the flow had less to send than the path takes while delivery_rate_bps was measured; 0: not so.
    std::optional<std::uint64_t> application_limited{};
    std::optional<std::uint64_t> acknowledged_bytes{};  ///< since the connection began

    bool operator==(const ConnectionSample&) const = default;
};

}  // namespace groma
