// The instrument's own error: what was asked for against what was sent, from the sender's records (docs/metrics.md).
#pragma once

#include <cstdint>
#include <optional>

#include "common/stats/distribution_fit.hpp"
#include "common/stats/log_histogram.hpp"
#include "common/time/instant.hpp"
#include "common/wire/records.hpp"

namespace groma {

struct Fidelity {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    /// Packets a second of the schedule (first to last scheduled departure) and of what was sent (first to last
    /// sent); 0 below two packets.
    double scheduled_pps = 0;
    double sent_pps = 0;
    double scheduled_bps = 0;  ///< payload bits: the packet rate times the mean size
    double sent_bps = 0;
    LogHistogram lateness_ns;        ///< actual minus scheduled departure
    std::uint64_t late_packets = 0;  ///< late by more than a tenth of the gap before them
    std::uint64_t alone = 0;         ///< packets that went with a send call of their own
    std::uint64_t batched = 0;       ///< packets that shared one
    std::uint32_t largest_batch = 0;
    LogHistogram batch_sizes;           ///< packets in each send call
    Nanos behind{0};                    ///< the time during which a packet was due and had not left
    LogHistogram gap_error_ns;          ///< |gap sent - gap scheduled|, whatever the distribution
    double gap_variation = 0;           ///< coefficient of variation of the gaps sent; 0 below two gaps
    std::uint64_t gaps_within_1us = 0;  ///< of those in gap_error_ns
    std::uint64_t gaps_within_10us = 0;
    std::uint64_t gaps_within_100us = 0;
    std::optional<DistributionFit> fit{};  ///< nothing: a constant rate, no model for the gaps, or too few of them

    /// |sent_pps / scheduled_pps - 1|; 0 when there are no rates.
    [[nodiscard]] double rate_error() const;
};

/// Collects Fidelity packet by packet; records in order of departure. Packet path.
class FidelityMeter {
public:
    FidelityMeter();

    void add(const SentRecord& record) noexcept;
    [[nodiscard]] Fidelity result() const;

private:
    Fidelity totals_;
    WallTime first_sent_{};
    WallTime last_sent_{};
    WallTime first_scheduled_{};
    WallTime last_scheduled_{};
};

}  // namespace groma
