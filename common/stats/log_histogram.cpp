#include "common/stats/log_histogram.hpp"

#include <algorithm>
#include <cmath>

#include "common/base/errors.hpp"
#include "common/stats/log_bins.hpp"

namespace groma {

namespace {

constexpr std::int64_t kLargest = std::int64_t{1} << 62;
/// Beyond so many values, or bins in use, every bin has its place.
constexpr std::uint64_t kFewValues = 4096;
constexpr std::size_t kFewBins = 512;

std::int16_t bin_of(std::int64_t value) {
    const std::size_t index = log_bin(static_cast<std::uint64_t>(value < 0 ? -value : value));
    return static_cast<std::int16_t>(value < 0 ? -1 - static_cast<int>(index) : static_cast<int>(index));
}

void grow(std::vector<std::uint64_t>& bins, std::size_t size) {
    if (bins.size() < size) {
        bins.resize(size);
    }
}

LogHistogram::Bin whole_bin(bool negative, std::size_t index, std::uint64_t count) {
    const std::int64_t low = lowest_of_bin(index);
    const std::int64_t high = highest_of_bin(index);
    return negative ? LogHistogram::Bin{-high, -low, count} : LogHistogram::Bin{low, high, count};
}

}  // namespace

void LogHistogram::add(std::int64_t value, std::uint64_t times) {
    if (times == 0) {
        return;
    }
    value = std::clamp(value, -kLargest, kLargest);
    count_ += times;
    count_in(bin_of(value), times);
    min_ = std::min(min_, value);
    max_ = std::max(max_, value);
    const double number = static_cast<double>(value);
    const double weight = static_cast<double>(times);
    const double before = number - mean_;
    mean_ += before * weight / static_cast<double>(count_);
    squares_ += weight * before * (number - mean_);
}

// Requires: count_ has the new values already.
void LogHistogram::count_in(std::int16_t bin, std::uint64_t times) {
    if (not many_) {
        if (count_ <= kFewValues) {
            count_among_few(bin, times);
            return;
        }
        become_many();
    }
    count_among_many(bin, times);
}

void LogHistogram::count_among_few(std::int16_t bin, std::uint64_t times) {
    const auto place = std::ranges::lower_bound(few_, bin, {}, &Few::bin);
    const auto count = static_cast<std::uint16_t>(times);
    if (place != few_.end() and place->bin == bin) {
        place->count = static_cast<std::uint16_t>(place->count + count);
    } else if (few_.size() < kFewBins) {
        few_.insert(place, {bin, count});
    } else {
        become_many();
        count_among_many(bin, times);
    }
}

void LogHistogram::count_among_many(std::int16_t bin, std::uint64_t times) {
    auto& bins = bin < 0 ? negative_ : positive_;
    const auto index = static_cast<std::size_t>(bin < 0 ? -1 - bin : bin);
    grow(bins, index + 1);
    bins[index] += times;
}

void LogHistogram::become_many() {
    many_ = true;
    for (const Few& few : few_) {
        count_among_many(few.bin, few.count);
    }
    few_ = {};
}

void LogHistogram::reserve(std::int64_t magnitude) {
    magnitude = std::clamp(magnitude, -kLargest, kLargest);
    const std::size_t size = log_bin(static_cast<std::uint64_t>(magnitude < 0 ? -magnitude : magnitude)) + 1;
    grow(positive_, size);
    grow(negative_, size);
    if (not many_) {
        become_many();
    }
}

void LogHistogram::merge(const LogHistogram& other) {
    if (other.count_ == 0) {
        return;
    }
    // Chan, Golub and LeVeque (1979): the pairwise update of mean and sum of squares.
    const double mine = static_cast<double>(count_);
    const double theirs = static_cast<double>(other.count_);
    const double apart = other.mean_ - mean_;
    mean_ += apart * theirs / (mine + theirs);
    squares_ += other.squares_ + apart * apart * mine * theirs / (mine + theirs);
    count_ += other.count_;
    for (const Few& few : other.few_) {
        count_in(few.bin, few.count);
    }
    if (other.many_ and not many_) {
        become_many();
    }
    for (std::size_t i = 0; i < other.positive_.size(); ++i) {
        grow(positive_, other.positive_.size());
        positive_[i] += other.positive_[i];
    }
    for (std::size_t i = 0; i < other.negative_.size(); ++i) {
        grow(negative_, other.negative_.size());
        negative_[i] += other.negative_[i];
    }
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
    result.reserve(few_.size());
    for (const Few& few : few_) {
        result.push_back(
            whole_bin(few.bin < 0, static_cast<std::size_t>(few.bin < 0 ? -1 - few.bin : few.bin), few.count));
    }
    for (std::size_t i = negative_.size(); i-- > 0;) {
        if (negative_[i] != 0) {
            result.push_back(whole_bin(true, i, negative_[i]));
        }
    }
    for (std::size_t i = 0; i < positive_.size(); ++i) {
        if (positive_[i] != 0) {
            result.push_back(whole_bin(false, i, positive_[i]));
        }
    }
    return result;
}

}  // namespace groma
