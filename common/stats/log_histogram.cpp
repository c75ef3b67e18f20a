#include "common/stats/log_histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/base/errors.hpp"

namespace groma {

namespace {

// 2^kLinearBits bins in each power of two; all values below 2^(kLinearBits + 1) have a bin of their own.
constexpr int kLinearBits = 7;
constexpr std::uint64_t kBinsPerOctave = std::uint64_t{1} << kLinearBits;
constexpr std::int64_t kLargest = std::int64_t{1} << 62;

std::size_t index_of(std::uint64_t magnitude) {
    if (magnitude < kBinsPerOctave) {
        return static_cast<std::size_t>(magnitude);
    }
    const int shift = static_cast<int>(std::bit_width(magnitude)) - 1 - kLinearBits;
    return static_cast<std::size_t>(static_cast<std::uint64_t>(shift) * kBinsPerOctave + (magnitude >> shift));
}

std::int64_t lowest_of(std::size_t index) {
    const std::uint64_t bin = index;
    if (bin < 2 * kBinsPerOctave) {
        return static_cast<std::int64_t>(bin);
    }
    const std::uint64_t shift = bin / kBinsPerOctave - 1;
    return static_cast<std::int64_t>((bin - shift * kBinsPerOctave) << shift);
}

std::int64_t highest_of(std::size_t index) {
    return lowest_of(index + 1) - 1;
}

void grow(std::vector<std::uint64_t>& bins, std::size_t size) {
    if (bins.size() < size) {
        bins.resize(size);
    }
}

void add_bins(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& from) {
    grow(to, from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
        to[i] += from[i];
    }
}

}  // namespace

void LogHistogram::add(std::int64_t value, std::uint64_t times) {
    if (times == 0) {
        return;
    }
    value = std::clamp(value, -kLargest, kLargest);
    auto& bins = value < 0 ? negative_ : positive_;
    const std::size_t index = index_of(static_cast<std::uint64_t>(value < 0 ? -value : value));
    grow(bins, index + 1);
    bins[index] += times;

    count_ += times;
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
    const double number = static_cast<double>(value);
    const double weight = static_cast<double>(times);
    const double before = number - mean_;
    mean_ += before * weight / static_cast<double>(count_);
    squares_ += weight * before * (number - mean_);
}

void LogHistogram::reserve(std::int64_t magnitude) {
    magnitude = std::clamp(magnitude, -kLargest, kLargest);
    const std::size_t size = index_of(static_cast<std::uint64_t>(magnitude < 0 ? -magnitude : magnitude)) + 1;
    grow(positive_, size);
    grow(negative_, size);
}

void LogHistogram::merge(const LogHistogram& other) {
    if (other.count_ == 0) {
        return;
    }
    add_bins(positive_, other.positive_);
    add_bins(negative_, other.negative_);

    // Chan, Golub and LeVeque (1979): the pairwise update of mean and sum of squares.
    const double mine = static_cast<double>(count_);
    const double theirs = static_cast<double>(other.count_);
    const double apart = other.mean_ - mean_;
    mean_ += apart * theirs / (mine + theirs);
    squares_ += other.squares_ + apart * apart * mine * theirs / (mine + theirs);
    count_ += other.count_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
}

std::int64_t LogHistogram::min() const {
    return count_ == 0 ? 0 : min_;
}

std::int64_t LogHistogram::max() const {
    return count_ == 0 ? 0 : max_;
}

double LogHistogram::mean() const {
    return mean_;
}

double LogHistogram::deviation() const {
    return count_ < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(count_ - 1));
}

std::int64_t LogHistogram::percentile(double fraction) const {
    if (count_ == 0) {
        return 0;
    }
    const double wanted = std::ceil(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(count_));
    if (wanted <= 1) {
        return min_;
    }
    if (wanted >= static_cast<double>(count_)) {
        return max_;
    }
    const auto rank = static_cast<std::uint64_t>(wanted);
    std::uint64_t passed = 0;
    for (const Bin& bin : bins()) {
        passed += bin.count;
        if (passed >= rank) {
            return std::clamp(bin.low + (bin.high - bin.low) / 2, min_, max_);
        }
    }
    check(false, "the bins of a histogram hold fewer values than it counted");
    return max_;
}

std::vector<LogHistogram::Bin> LogHistogram::bins() const {
    std::vector<Bin> result;
    for (std::size_t i = negative_.size(); i-- > 0;) {
        if (negative_[i] != 0) {
            result.push_back({-highest_of(i), -lowest_of(i), negative_[i]});
        }
    }
    for (std::size_t i = 0; i < positive_.size(); ++i) {
        if (positive_[i] != 0) {
            result.push_back({lowest_of(i), highest_of(i), positive_[i]});
        }
    }
    return result;
}

}  // namespace groma
