// The gaps between a flow's departures, counted by the cells of what was asked for; and those of several flows
// together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/stats/fidelity/distribution_fit.hpp"
#include "common/stats/fidelity/gap_model.hpp"

namespace groma {

/// Memory: 2 bytes a gap while there are few, 9 KiB from then on.
class GapCounts {
public:
    /// Of a flow that has no model: counts nothing.
    GapCounts() = default;
    explicit GapCounts(std::shared_ptr<const GapModel> model) : model_(std::move(model)) {}

    [[nodiscard]] bool has_model() const { return model_ != nullptr; }
    [[nodiscard]] const GapModel& model() const { return *model_; }  ///< Requires: has_model()
    /// Whether there can be a fit: there is a model, and the clock can tell its gaps apart.
    [[nodiscard]] bool comparable() const { return model_ != nullptr and not model_->too_narrow(); }

    /// Requires: has_model().
    void add(std::int64_t gap_ns);
    /// So many gaps of a cell. Requires: has_model() and cell < GapModel::kCells.
    void add_to_cell(std::size_t cell, std::uint64_t gaps);

    /// By cell; empty without a gap.
    [[nodiscard]] std::vector<std::uint64_t> cells() const;

private:
    void become_many();

    std::shared_ptr<const GapModel> model_;
    std::vector<std::uint16_t> few_;   ///< the cell of each gap; empty once there are many
    std::vector<std::uint64_t> many_;  ///< by cell
};

/// Flows of any distributions: what is compared is how probable each gap was, by its own flow's distribution, which is
/// uniform for all of them alike (the probability integral transform).
class PooledGaps {
public:
    void add(const GapCounts& gaps);

    /// Nothing when there are too few gaps to judge (below kFewestGaps). Flows whose gaps are not comparable() are not
    /// in it.
    [[nodiscard]] std::optional<DistributionFit> fit() const;

private:
    ComparedGaps compared_;
};

}  // namespace groma
