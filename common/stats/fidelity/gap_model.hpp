// What a flow was asked to send between departures, made ready to be compared with what it sent: cells of time whose
// probabilities are known (docs/reference/metrics.md). Made once for each distribution and shared by its flows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "common/model/flow/flow_spec.hpp"

namespace groma {

/// Every model has the same number of cells, and a cell of one has about the probability of the same cell of another.
/// Edges are whole nanoseconds, which is what the clock tells apart: where cells would be narrower, one of them is
/// a whole nanosecond and the next ones have the probability 0. Any thread.
class GapModel {
public:
    /// kPlainCells cells of equal probability; the first and the last are divided again, each part of half the
    /// probability of the one before it, kTailCells times: what is rare lies there.
    static constexpr std::size_t kPlainCells = 1024;
    static constexpr std::size_t kTailCells = 30;
    static constexpr std::size_t kCells = kPlainCells + 2 * kTailCells;

    [[nodiscard]] static bool is_continuous(const Distribution& idt);
    /// Whether gaps that follow the distribution can be compared so: it is continuous, and hardly any draw has
    /// to be raised to 0 or drawn again (docs/reference/models.md).
    [[nodiscard]] static bool fits(const Distribution& idt);

    /// Requires: fits(idt).
    explicit GapModel(const Distribution& idt);

    /// Returns: the cell that a gap of so many nanoseconds is in. Packet path.
    [[nodiscard]] std::size_t cell(std::int64_t gap_ns) const noexcept;

    /// Of each cell; they add up to 1. Departures are rounded to nanoseconds, each by itself.
    [[nodiscard]] std::span<const double> probabilities() const { return probabilities_; }

    /// Whether the cell is one nanosecond: nothing within it can be told apart.
    [[nodiscard]] bool is_one_ns(std::size_t cell) const {
        return cell < edges_.size() and edges_[cell] - (cell == 0 ? 0 : edges_[cell - 1]) == 1;
    }

    /// Whether the distribution is so narrow that more than kLargestShare of its gaps are of one and the same number of
    /// nanoseconds: it is a constant, as far as the clock can tell, and there is nothing to compare.
    [[nodiscard]] bool too_narrow() const { return too_narrow_; }
    static constexpr double kLargestShare = 0.25;

private:
    std::vector<std::int64_t> edges_;    ///< kCells - 1, rising: a gap is in the cell of as many edges as it reaches
    std::vector<std::uint16_t> places_;  ///< by bin of the gap (log_bins.hpp): the edges up to its smallest value
    std::vector<double> probabilities_;
    bool too_narrow_ = false;
};

/// The models of a run's flows, each distribution's made once.
class GapModels {
public:
    /// Beyond so many distributions flows have no model: one takes some 25 KiB.
    static constexpr std::size_t kMost = 1000;

    /// Null: the flow's gaps follow no one distribution (ON and OFF periods), or one that GapModel does not fit.
    [[nodiscard]] std::shared_ptr<const GapModel> of(const FlowSpec& flow);

private:
    std::unordered_map<std::string, std::shared_ptr<const GapModel>> models_;  ///< by the distribution as it is written
};

}  // namespace groma
