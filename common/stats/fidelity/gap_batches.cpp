#include "common/stats/fidelity/gap_batches.hpp"

#include <numeric>
#include <utility>

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

GapBatches::GapBatches(std::uint64_t length, std::vector<Counts> batches)
    : length_(length), batches_(std::move(batches)) {
    if (not batches_.empty()) {
        filled_ = std::accumulate(batches_.back().begin(), batches_.back().end(), std::uint64_t{0});
    }
}

void GapBatches::begin_next() {
    if (batches_.size() == kMost) {
        for (std::size_t pair = 0; pair < kMost / 2; ++pair) {
            const Counts second = batches_[2 * pair + 1];
            batches_[pair] = batches_[2 * pair];
            for (std::size_t bin = 0; bin < kLambda2Bins; ++bin) {
                batches_[pair][bin] += second[bin];
            }
        }
        batches_.resize(kMost / 2);
        length_ *= 2;
    }
    batches_.emplace_back();
    filled_ = 0;
}

void GapBatches::add_covariance(CountCovariance& sum, std::uint64_t gaps,
                                std::span<const double, kLambda2Bins> shares) const {
    const double n = static_cast<double>(gaps);
    std::array<CountCovariance::Row, kLambda2Bins> covariance{};
    const std::size_t complete = batches_.size() - (filled_ < length_ and not batches_.empty() ? 1 : 0);
    if (complete < kFewestBatches) {
        for (std::size_t row = 0; row < kLambda2Bins; ++row) {
            for (std::size_t column = 0; column < kLambda2Bins; ++column) {
                covariance[row][column] = n * ((row == column ? shares[row] : 0) - shares[row] * shares[column]);
            }
        }
        sum.add(covariance, gaps, 0);
        return;
    }
    const double count = static_cast<double>(complete);
    const std::span<const Counts> used = std::span(batches_).first(complete);
    CountCovariance::Row mean{};
    for (const Counts& batch : used) {
        for (std::size_t bin = 0; bin < kLambda2Bins; ++bin) {
            mean[bin] += static_cast<double>(batch[bin]) / count;
        }
    }
    // The sum of as many batches as all gaps fill, each with the covariance of one.
    const double all = n / static_cast<double>(length_);
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
