// Packets per block of time, at dyadic scales: the index of dispersion, the variance-time plot and the logscale diagram
// of a flow's packet rate. Computed as packets arrive, in memory for the scales.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/stats/fit/dyadic_cascade.hpp"
#include "common/stats/fit/hurst.hpp"

namespace groma {

struct CountScale {
    double scale_s = 0;
    std::uint64_t blocks = 0;
    double mean = 0;  ///< packets per block
    /// Variance over mean of the packets per block: 1 for a Poisson process, about 0 for a constant rate [Cox and Lewis
    /// 1966].
    double dispersion = 0;
    double rate_variance = 0;  ///< of the mean rate over a block, in (packets per second)^2
};

struct CountOctave {
    double scale_s = 0;
    LogEnergy energy;
};

struct CountFigures {
    std::vector<CountScale> scales;    ///< from the scale of the mean gap on, while there are 8 blocks
    std::vector<CountOctave> octaves;  ///< likewise, while there are 4 details
    /// From the scales with at least 8 packets per block on average: at smaller ones, counts show how single packets
    /// follow one another. `first` and `last` are indices of scales.
    std::optional<HurstEstimate> variance_time{};
    std::optional<HurstEstimate> wavelet{};  ///< likewise; indices of octaves
};

class PacketCounts {
public:
    /// The finest blocks: far below any gap of interest.
    static constexpr std::int64_t kFinestNs = 1000;

    /// Times ascend; an earlier one counts at the time of the last one.
    void add(std::int64_t time_ns);

    [[nodiscard]] CountFigures figures() const;

private:
    void end_block();

    std::uint64_t packets_ = 0;
    std::int64_t first_ns_ = 0;
    std::int64_t last_ns_ = 0;
    std::uint64_t block_ = 0;  ///< of the current packets, counted from the first block
    double count_ = 0;
    DyadicCascade<BlockSums> sums_;
    DyadicCascade<DaubechiesDetails> details_;
};

}  // namespace groma
