#include "common/stats/fidelity/gap_batches.hpp"

#include <numeric>

namespace groma {

void CountCovariance::add(const std::array<Row, kLambda2Bins>& covariance, std::uint64_t gaps, double freedom) {
    for (std::size_t row = 0; row < kLambda2Bins; ++row) {
        for (std::size_t column = 0; column < kLambda2Bins; ++column) {
            sum_[row][column] += covariance[row][column];
        }
    }
    const double n = static_cast<double>(gaps);
    gaps_ += n;
    squares_ += freedom > 0 ? n * n / freedom : 0;
}

double CountCovariance::inverse_freedom() const {
    return gaps_ > 0 ? squares_ / (gaps_ * gaps_) : 0;
}

namespace {

std::uint64_t gaps_in_last(const std::vector<GapBatches::Counts>& batches) {
    return batches.empty() ? 0 : std::accumulate(batches.back().begin(), batches.back().end(), std::uint64_t{0});
}

}  // namespace

GapBatches::GapBatches(std::uint64_t length, std::vector<Counts> batches)
    : batches_(length, batches, gaps_in_last(batches)) {}

void GapBatches::add_covariance(CountCovariance& sum, std::uint64_t gaps,
                                std::span<const double, kLambda2Bins> shares) const {
    const double n = static_cast<double>(gaps);
    std::array<CountCovariance::Row, kLambda2Bins> covariance{};
    const std::span<const Counts> used = batches_.complete();
    if (used.size() < kFewestBatches) {
        for (std::size_t row = 0; row < kLambda2Bins; ++row) {
            for (std::size_t column = 0; column < kLambda2Bins; ++column) {
                covariance[row][column] = n * ((row == column ? shares[row] : 0) - shares[row] * shares[column]);
            }
        }
        sum.add(covariance, gaps, 0);
        return;
    }
    const double count = static_cast<double>(used.size());
    CountCovariance::Row mean{};
    for (const Counts& batch : used) {
        for (std::size_t bin = 0; bin < kLambda2Bins; ++bin) {
            mean[bin] += static_cast<double>(batch[bin]) / count;
        }
    }
    // The sum of as many batches as all gaps fill, each with the covariance of one.
    const double all = n / static_cast<double>(batches_.length());
    for (const Counts& batch : used) {
        CountCovariance::Row apart{};
        for (std::size_t bin = 0; bin < kLambda2Bins; ++bin) {
            apart[bin] = static_cast<double>(batch[bin]) - mean[bin];
        }
        for (std::size_t row = 0; row < kLambda2Bins; ++row) {
            for (std::size_t column = 0; column < kLambda2Bins; ++column) {
                covariance[row][column] += apart[row] * apart[column] * all / (count - 1);
            }
        }
    }
    sum.add(covariance, gaps, count - 1);
}

}  // namespace groma
