// A flow's requested gaps, prepared for comparison with the sent ones: cells of time with known probabilities
// (docs/reference/metrics.md). Made once for each distribution and shared by its flows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/stats/fidelity/gap_batches.hpp"
#include "common/stats/fidelity/off_times.hpp"

namespace groma {

/// Every model has the same number of cells, and a cell has about the same probability in all models. Edges are
/// whole nanoseconds, the clock's resolution. Where cells would be narrower, one of them is a full nanosecond and the
/// next ones have the probability 0. Gaps of 0, as of draws that were raised to it, have a cell with as many of the
/// shortest others as are 1/1024 of all. Thread: any.
class GapModel {
public:
    /// kPlainCells cells of equal probability. The first and the last are divided kTailCells times, each part with half
    /// the probability of the one before it, for rare gaps.
    static constexpr std::size_t kPlainCells = 1024;
    static constexpr std::size_t kTailCells = 30;
    static constexpr std::size_t kCells = kPlainCells + 2 * kTailCells;

    [[nodiscard]] static bool is_continuous(const Distribution& idt);
    /// Whether gaps of the distribution can be compared in this way: it is continuous, and not most of the draws are
    /// raised to 0 or drawn again (docs/reference/models.md).
    [[nodiscard]] static bool fits(const Distribution& idt);

    /// Requires: fits(idt).
    explicit GapModel(const Distribution& idt);

    /// Returns: the cell of a gap. Packet path.
    [[nodiscard]] std::size_t cell(std::int64_t gap_ns) const noexcept;

    /// Returns: the bin of lambda2 that the cell is in: each consists of equally many plain cells.
    [[nodiscard]] static std::size_t bin(std::size_t cell) noexcept {
        constexpr std::size_t kLast = kTailCells + kPlainCells - 1;
        return (std::clamp(cell, kTailCells, kLast) - kTailCells) / (kPlainCells / kLambda2Bins);
    }

    /// The probability of each cell; their sum is 1. Each departure is rounded to nanoseconds separately.
    [[nodiscard]] std::span<const double> probabilities() const { return probabilities_; }

    /// Whether the cell is one nanosecond: its gaps cannot be distinguished.
    [[nodiscard]] bool is_one_ns(std::size_t cell) const {
        return cell < edges_.size() and edges_[cell] - (cell == 0 ? 0 : edges_[cell - 1]) == 1;
    }

    /// Whether more than kLargestShare of the gaps have the same number of nanoseconds: the distribution is then a
    /// constant, as far as the clock can tell, and cannot be compared.
    [[nodiscard]] bool too_narrow() const { return too_narrow_; }
    static constexpr double kLargestShare = 0.25;

private:
    std::vector<std::int64_t> edges_;    ///< kCells - 1, ascending: a gap's cell is the number of edges at or below it
    std::vector<std::uint16_t> places_;  ///< by bin of the gap (log_bins.hpp): number of edges up to its smallest value
    std::vector<double> probabilities_;
    bool too_narrow_ = false;
};

/// What a flow's gaps are compared with.
struct AskedGaps {
    std::shared_ptr<const GapModel> model;
    std::unique_ptr<OffTimes> off_times{};  ///< to be taken off the gaps; null: there are none
    bool none = false;                      ///< the flow goes as fast as possible: no departure was scheduled
};

/// The models of a run's flows, one for each distribution.
class GapModels {
public:
    /// With more distributions than this, flows have no model: one takes some 25 KiB.
    static constexpr std::size_t kMost = 1000;
    /// With more components of mixtures, likewise: each costs up to some 20 ms (Student t), and a distribution that is
    /// no mixture counts as one.
    static constexpr std::size_t kMostComponents = 4000;

    /// Of the flow's gaps, less the OFF time in them. No model: their distribution does not fit GapModel, or that time
    /// is unknown.
    [[nodiscard]] AskedGaps of(const FlowSpec& flow);

private:
    [[nodiscard]] std::shared_ptr<const GapModel> model_of(const Distribution& idt);

    std::unordered_map<std::string, std::shared_ptr<const GapModel>> models_;  ///< by the distribution's text
    std::size_t components_ = 0;
};

}  // namespace groma
