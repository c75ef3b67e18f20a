// Packets of logs by column, of each kind, and of both sides matched.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "common/base/ids.hpp"
#include "common/wire/column_view.hpp"
#include "common/wire/records.hpp"
#include "python/extension/growing_column.hpp"

namespace groma {

/// A time or span that is unknown: NumPy's "not a time", and that of ReceivedRecord.
inline constexpr std::int64_t kUnknownNs = std::numeric_limits<std::int64_t>::min();
static_assert(kUnknownNs == ns_since_epoch(ReceivedRecord::kNoTime));

/// Consecutive rows of one flow.
struct FlowRows {
    FlowId flow{};
    std::size_t first = 0;
    std::size_t count = 0;
};

/// What all tables of packets have. Times are ns since 1970.
struct PacketColumns {
    GrowingColumn<std::uint32_t> flow{};
    GrowingColumn<std::int64_t> seq{};  ///< -1: unknown (kNoSeq)
    std::vector<FlowRows> rows{};       ///< in their order

    [[nodiscard]] std::size_t count() const noexcept { return seq.size(); }

protected:
    void add(FlowId of, std::span<const std::uint64_t> numbers);
};

struct SentPackets : PacketColumns {
    GrowingColumn<std::int64_t> sent_ns{};
    GrowingColumn<std::int64_t> lateness_ns{};
    GrowingColumn<std::uint32_t> size{};
    GrowingColumn<std::uint32_t> batch{};
    static constexpr std::size_t kBytes = 36;  ///< of a row, for estimates of memory

    void add(FlowId of, const SentColumns& records);
};

struct ReceivedPackets : PacketColumns {
    GrowingColumn<std::int64_t> sent_ns{};
    GrowingColumn<std::int64_t> received_ns{};
    GrowingColumn<std::uint32_t> size{};
    GrowingColumn<std::uint8_t> ttl{};  ///< 0: unknown
    GrowingColumn<std::uint8_t> ds_byte{};
    static constexpr std::size_t kBytes = 34;

    void add(FlowId of, const ReceivedColumns& records);
};

struct ReturnedPackets : PacketColumns {
    GrowingColumn<std::int64_t> sent_ns{};
    GrowingColumn<std::int64_t> returned_ns{};
    GrowingColumn<std::int64_t> reflected_ns{};
    GrowingColumn<std::int64_t> replied_ns{};
    GrowingColumn<std::uint32_t> size{};
    static constexpr std::size_t kBytes = 48;

    void add(FlowId of, std::span<const RoundTripRecord> records);
};

struct TransmittedPackets : PacketColumns {
    GrowingColumn<std::int64_t> transmitted_ns{};
    static constexpr std::size_t kBytes = 20;

    void add(FlowId of, std::span<const TransmitRecord> records);
};

/// A row for each packet that was sent and never arrived, and one for each copy that arrived. What is not known, such
/// as the arrival of a lost packet, is kUnknownNs.
struct MatchedPackets : PacketColumns {
    GrowingColumn<std::int64_t> sent_ns{};
    GrowingColumn<std::int64_t> received_ns{};
    GrowingColumn<std::int64_t> delay_ns{};  ///< corrected by what is known of the clocks
    GrowingColumn<std::int64_t> lateness_ns{};
    GrowingColumn<std::uint32_t> size{};
    static constexpr std::size_t kBytes = 48;
};

}  // namespace groma
