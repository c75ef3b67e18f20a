#include "common/stats/histograms/log_histogram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "common/base/errors.hpp"
#include "common/stats/histograms/log_bins.hpp"
#include "common/stats/histograms/stretches.hpp"

namespace groma {

namespace {

/// Beyond this number of values, or of bins in use, all bins are stored.
constexpr std::uint64_t kFewValues = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kFewBins = 512;
constexpr std::size_t kStretch = 512;

LogHistogram::Bin whole_bin(std::int16_t bin, std::uint64_t count) {
    const bool negative = bin < 0;
    const auto index = static_cast<std::size_t>(negative ? -1 - bin : bin);
    const std::int64_t low = lowest_of_bin(index);
    const std::int64_t high = highest_of_bin(index);
    return negative ? LogHistogram::Bin{-high, -low, count} : LogHistogram::Bin{low, high, count};
}

/// visit(bin, count) in rising order; many: null where there are few.
template <typename Visit>
void for_each_bin(std::span<const BinCount> few, const BinTable* many, Visit visit) {
    for (const auto& [bin, times] : few) {
        visit(bin, times);
    }
    if (many != nullptr) {
        many->for_each(visit);
    }
}

}  // namespace

void LogHistogram::add(std::int64_t value, std::uint64_t times) {
    if (times == 0) {
        return;
    }
    value = std::clamp(value, -kLargest, kLargest);
    note(value);
    moments_.add(value, times);
    count_in(bin_of(value), times);
}

void LogHistogram::add(std::span<const std::int64_t> values) {
    constexpr std::size_t kMany = 16;
    if (values.size() < kMany) {
        for (const std::int64_t value : values) {
            add(value);
        }
        return;
    }
    const auto [least, most] = extent_of(values);
    if (least == most) {
        add(least, values.size());
        return;
    }
    if (least <= -kNear or most >= kNear) {
        for (const std::int64_t value : values) {
            add(value);
        }
        return;
    }
    note(least);
    note(most);
    moments_.add(values, least, most);
    std::array<std::int16_t, kStretch> bins;
    while (not values.empty()) {
        const auto some = values.first(std::min(kStretch, values.size()));
        near_bins_of(some, bins);
        count_each(std::span(bins).first(some.size()), bin_of(least), bin_of(most));
        values = values.subspan(some.size());
    }
}

void LogHistogram::count_each(std::span<const std::int16_t> bins, int least, int most) {
    if (many_ == nullptr and count() > kFewValues) {
        become_many();
    }
    if (many_ != nullptr) {
        own_many().add_each(bins, least, most);
    } else {
        count_each_among_few(bins, least, most);
    }
}

// Finding one of few bins is a search, so searches for each bin once.
void LogHistogram::count_each_among_few(std::span<const std::int16_t> bins, int least, int most) {
    const auto range = static_cast<std::size_t>(most - least) + 1;
    if (range > BinCounts::kWidest) {
        for (const std::int16_t bin : bins) {
            count_in(bin, 1);
        }
        return;
    }
    BinCounts aside;
    const auto counts = aside.of(bins, least, range);
    for (std::size_t i = 0; i < range; ++i) {
        if (counts[i] > 0) {
            count_in(static_cast<std::int16_t>(least + static_cast<int>(i)), counts[i]);
        }
    }
}

// Requires: the new values are counted already.
void LogHistogram::count_in(std::int16_t bin, std::uint64_t times) {
    if (many_ == nullptr) {
        if (count() <= kFewValues) {
            count_among_few(bin, times);
            return;
        }
        become_many();
    }
    own_many().add(bin, times);
}

void LogHistogram::count_among_few(std::int16_t bin, std::uint64_t times) {
    const auto place = std::ranges::lower_bound(few_, bin, {}, &BinCount::bin);
    const auto count = static_cast<std::uint16_t>(times);
    if (place != few_.end() and place->bin == bin) {
        place->count = static_cast<std::uint16_t>(place->count + count);
    } else if (few_.size() < kFewBins) {
        few_.insert(place, {bin, count});
    } else {
        become_many();
        own_many().add(bin, times);
    }
}

BinTable& LogHistogram::own_many() {
    if (many_.use_count() > 1) {
        many_ = std::make_shared<BinTable>(*many_);
    }
    return *many_;
}

void LogHistogram::become_many() {
    many_ = std::make_shared<BinTable>();
    many_->add(few_);
    few_ = std::vector<BinCount>();
}

void LogHistogram::reserve(std::int64_t magnitude) {
    if (many_ == nullptr) {
        become_many();
    }
    magnitude = std::clamp(magnitude, -kLargest, kLargest);
    const int bin = bin_of(std::abs(magnitude));
    own_many().cover(-1 - bin, bin);
}

void LogHistogram::merge(const LogHistogram& other) {
    if (other.count() == 0) {
        return;
    }
    moments_.merge(other.moments_);
    if (many_ == nullptr and (other.many_ != nullptr or count() > kFewValues)) {
        become_many();
    }
    if (other.many_ != nullptr) {
        own_many().merge(*other.many_);
    } else if (many_ != nullptr) {
        own_many().add(other.few_);
    } else {
        for (const auto& [bin, times] : other.few_) {
            count_in(bin, times);
        }
    }
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
}

std::int64_t LogHistogram::min() const {
    return count() == 0 ? 0 : min_;
}

std::int64_t LogHistogram::max() const {
    return count() == 0 ? 0 : max_;
}

double LogHistogram::mean() const {
    return moments_.mean();
}

double LogHistogram::deviation() const {
    return moments_.deviation();
}

std::int64_t LogHistogram::percentile(double fraction) const {
    if (count() == 0) {
        return 0;
    }
    const double wanted = std::ceil(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(count()));
    if (wanted <= 1) {
        return min_;
    }
    if (wanted >= static_cast<double>(count())) {
        return max_;
    }
    const auto rank = static_cast<std::uint64_t>(wanted);
    std::uint64_t passed = 0;
    std::int16_t reached = 0;
    const auto pass = [&](std::int16_t bin, std::uint64_t times) {
        reached = passed < rank ? bin : reached;
        passed += times;
    };
    for_each_bin(few_, many_.get(), pass);
    check(passed >= rank, "the bins of a histogram hold fewer values than it counted");
    return middle_of(whole_bin(reached, 1));
}

std::int64_t LogHistogram::middle_of(const Bin& bin) const {
    return std::clamp(bin.low + (bin.high - bin.low) / 2, min_, max_);
}

double LogHistogram::trimmed_mean(double fraction) const {
    const double kept = std::ceil(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(count()));
    double left = kept;
    double sum = 0;
    for (const Bin& bin : bins()) {
        const double of_bin = std::min(left, static_cast<double>(bin.count));
        sum += of_bin * static_cast<double>(middle_of(bin));
        left -= of_bin;
    }
    return kept > 0 ? sum / kept : 0;
}

std::vector<LogHistogram::Bin> LogHistogram::bins() const {
    std::vector<Bin> result;
    result.reserve(few_.size());
    for_each_bin(few_, many_.get(),
                 [&](std::int16_t bin, std::uint64_t times) { result.push_back(whole_bin(bin, times)); });
    return result;
}

}  // namespace groma
