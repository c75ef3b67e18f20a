// Counts the gaps between a flow's departures by the cells of the requested distribution; also for several flows
// together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "common/stats/fidelity/distribution_fit.hpp"
#include "common/stats/fidelity/gap_batches.hpp"
#include "common/stats/fidelity/gap_model.hpp"

namespace groma {

/// Memory: 2 bytes per gap while there are few, then 25 KiB.
class GapCounts {
public:
    /// For a flow without a model: counts nothing.
    GapCounts() = default;
    explicit GapCounts(std::shared_ptr<const GapModel> model) : model_(std::move(model)) {}

    [[nodiscard]] bool has_model() const { return model_ != nullptr; }
    [[nodiscard]] const GapModel& model() const { return *model_; }  ///< Requires: has_model()
    /// Whether a fit is possible: there is a model, and the clock can distinguish its gaps.
    [[nodiscard]] bool comparable() const { return model_ != nullptr and not model_->too_narrow(); }

    /// The next gap of the flow. Requires: has_model().
    void add(std::int64_t gap_ns);
    /// Adds this number of gaps, counted elsewhere, to a cell. Requires: has_model() and cell < GapModel::kCells.
    void add_to_cell(std::size_t cell, std::uint64_t gaps);

    /// Batches of all gaps, counted elsewhere. Without them, many gaps that were added by cell are taken as
    /// independent.
    void set_batches(GapBatches batches);

    /// By cell; empty without gaps.
    [[nodiscard]] std::vector<std::uint64_t> cells() const;
    /// The cell of each gap, in order; empty if there are many.
    [[nodiscard]] std::span<const std::uint16_t> few() const { return few_; }
    [[nodiscard]] GapBatches batches() const;

private:
    void become_many();

    std::shared_ptr<const GapModel> model_;
    std::vector<std::uint16_t> few_;   ///< the cell of each gap; empty once there are many
    std::vector<std::uint64_t> many_;  ///< by cell
    GapBatches batches_;               ///< once there are many
};

/// Pools flows with any distributions. Compares how probable each gap was by its own flow's distribution, which is
/// uniform for all of them (the probability integral transform).
class PooledGaps {
public:
    void add(const GapCounts& gaps);

    /// Empty if there are too few gaps (below kFewestGaps). Excludes flows whose gaps are not comparable().
    [[nodiscard]] std::optional<DistributionFit> fit() const;

private:
    ComparedGaps compared_;
    CountCovariance covariance_;
};

}  // namespace groma
