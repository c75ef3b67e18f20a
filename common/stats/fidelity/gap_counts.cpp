#include "common/stats/fidelity/gap_counts.hpp"

#include <array>
#include <numeric>
#include <span>
#include <utility>

namespace groma {

namespace {

constexpr std::size_t kFewGaps = 1024;

}  // namespace

void GapCounts::add(std::int64_t gap_ns) {
    const std::size_t cell = model_->cell(gap_ns);
    add_to_cell(cell, 1);
    if (not many_.empty()) {
        batches_.add(GapModel::bin(cell));
    }
}

void GapCounts::add_to_cell(std::size_t cell, std::uint64_t gaps) {
    if (many_.empty()) {
        if (gaps <= kFewGaps - few_.size()) {
            few_.insert(few_.end(), gaps, static_cast<std::uint16_t>(cell));
            return;
        }
        become_many();
    }
    many_[cell] += gaps;
}

void GapCounts::set_batches(GapBatches batches) {
    become_many();
    batches_ = std::move(batches);
}

void GapCounts::become_many() {
    batches_ = batches();
    many_.resize(GapModel::kCells);
    for (const std::uint16_t cell : few_) {
        ++many_[cell];
    }
    few_ = {};
}

GapBatches GapCounts::batches() const {
    GapBatches batches = batches_;
    for (const std::uint16_t cell : few_) {
        batches.add(GapModel::bin(cell));
    }
    return batches;
}

std::vector<std::uint64_t> GapCounts::cells() const {
    if (few_.empty() and many_.empty()) {
        return {};
    }
    std::vector<std::uint64_t> counts(GapModel::kCells);
    for (const std::uint16_t cell : few_) {
        ++counts[cell];
    }
    for (std::size_t cell = 0; cell < many_.size(); ++cell) {
        counts[cell] += many_[cell];
    }
    return counts;
}

void PooledGaps::add(const GapCounts& gaps) {
    const std::vector<std::uint64_t> cells = gaps.cells();
    if (cells.empty() or not gaps.comparable()) {
        return;
    }
    compared_.resize(GapModel::kCells);
    std::array<double, kLambda2Bins> shares{};
    const GapModel& model = gaps.model();
    const double total = static_cast<double>(std::accumulate(cells.begin(), cells.end(), std::uint64_t{0}));
    const std::span<const double> probabilities = model.probabilities();
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        ComparedCell& sum = compared_[cell];
        const double expected = total * probabilities[cell];
        sum.bin = GapModel::bin(cell);
        shares[sum.bin] += probabilities[cell];
        sum.counted += cells[cell];
        sum.expected += expected;
        if (not model.is_one_ns(cell)) {
            sum.counted_apart += cells[cell];
            sum.expected_apart += expected;
        }
    }
    gaps.batches().add_covariance(covariance_, static_cast<std::uint64_t>(total), shares);
}

std::optional<DistributionFit> PooledGaps::fit() const {
    return distribution_fit(compared_, &covariance_);
}

}  // namespace groma
