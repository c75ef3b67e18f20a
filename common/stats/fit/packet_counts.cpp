#include "common/stats/fit/packet_counts.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace groma {

namespace {

constexpr std::uint64_t kFewestBlocks = 8;
constexpr double kFewestPackets = 8;       // per block, for a scale to count in an estimate of H
constexpr std::size_t kBiasedOctaves = 2;  // wavelet_hurst()

/// The length of a block of the finest ones, in seconds.
double scale_of(std::size_t stage) {
    return std::ldexp(static_cast<double>(PacketCounts::kFinestNs) / 1e9, static_cast<int>(stage));
}

/// The first stage with at least `packets` packets per block on average; one past the last if none has.
std::size_t first_of(std::span<const BlockSums> stages, double packets) {
    const auto reached =
        std::ranges::find_if(stages, [packets](const BlockSums& stage) { return stage.mean() >= packets; });
    return static_cast<std::size_t>(reached - stages.begin());
}

/// Moves the stages of the estimate by the number that was left out before.
std::optional<HurstEstimate> moved(std::optional<HurstEstimate> estimate, std::size_t stages) {
    if (estimate) {
        estimate->first += stages;
        estimate->last += stages;
    }
    return estimate;
}

std::vector<CountScale> count_scales(std::span<const BlockSums> stages, std::size_t first) {
    std::vector<CountScale> scales;
    scales.reserve(stages.size());
    for (std::size_t stage = first; stage < stages.size() and stages[stage].blocks() >= kFewestBlocks; ++stage) {
        const double scale = scale_of(stage);
        const double mean = stages[stage].mean();
        const double variance = stages[stage].variance();
        scales.push_back({scale, stages[stage].blocks(), mean, variance / mean, variance / (scale * scale)});
    }
    return scales;
}

}  // namespace

void PacketCounts::end_block() {
    sums_.add(count_);
    details_.add(count_);
    count_ = 0;
    ++block_;
}

void PacketCounts::add(std::int64_t time_ns) {
    first_ns_ = packets_ == 0 ? time_ns : first_ns_;
    last_ns_ = packets_ == 0 ? time_ns : std::max(last_ns_, time_ns);
    ++packets_;
    // As unsigned numbers: the distance of two instants can overflow a signed one.
    const std::uint64_t since = static_cast<std::uint64_t>(last_ns_) - static_cast<std::uint64_t>(first_ns_);
    const std::uint64_t block = since / kFinestNs;
    if (block > block_) {
        end_block();
        sums_.add_zeros(block - block_);
        details_.add_zeros(block - block_);
        block_ = block;
    }
    ++count_;
}

CountFigures PacketCounts::figures() const {
    PacketCounts whole(*this);
    whole.end_block();
    const std::span<const BlockSums> sums = whole.sums_.stages();
    const std::span<const DaubechiesDetails> details = whole.details_.stages();
    CountFigures figures;
    const std::size_t first = first_of(sums, 1);
    figures.scales = count_scales(sums, first);
    const std::size_t far = std::min(first_of(sums, kFewestPackets) - first, figures.scales.size());
    figures.variance_time = moved(variance_time_hurst(sums.subspan(first, figures.scales.size()).subspan(far)), far);
    // A stage's details describe blocks twice as long as its input.
    const std::size_t first_octave = std::min(std::max(first, kBiasedOctaves + 1) - 1, details.size());
    for (const DaubechiesDetails& octave : details.subspan(first_octave)) {
        const auto energy = log_energy(octave);
        if (not energy) {
            break;
        }
        figures.octaves.push_back({scale_of(first_octave + figures.octaves.size() + 1), *energy});
    }
    const std::size_t far_octave =
        std::min(std::max(first + far, first_octave + 1) - 1 - first_octave, figures.octaves.size());
    figures.wavelet =
        moved(wavelet_hurst(details.subspan(first_octave, figures.octaves.size()).subspan(far_octave)), far_octave);
    return figures;
}

}  // namespace groma
