#include "common/stats/log_histogram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "common/base/errors.hpp"
#include "common/stats/log_bins.hpp"

namespace groma {

namespace {

/// Beyond so many values, or bins in use, every bin has its place.
constexpr std::uint64_t kFewValues = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kFewBins = 512;
constexpr std::uint64_t kCarry = std::uint64_t{1} << 16;

void grow(std::vector<std::uint16_t>& bins, std::size_t size) {
    if (bins.size() < size) {
        bins.reserve((size + kBinsPerOctave - 1) / kBinsPerOctave *
                     kBinsPerOctave);  // not twice as many, as resize() does
        bins.resize(size);
    }
}

LogHistogram::Bin whole_bin(bool negative, std::size_t index, std::uint64_t count) {
    const std::int64_t low = lowest_of_bin(index);
    const std::int64_t high = highest_of_bin(index);
    return negative ? LogHistogram::Bin{-high, -low, count} : LogHistogram::Bin{low, high, count};
}

}  // namespace

std::int16_t LogHistogram::bin_of(std::int64_t value) {
    const std::size_t index = log_bin(static_cast<std::uint64_t>(value < 0 ? -value : value));
    return static_cast<std::int16_t>(value < 0 ? -1 - static_cast<int>(index) : static_cast<int>(index));
}

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
    std::int64_t least = values.front();
    std::int64_t most = values.front();
    for (const std::int64_t value : values) {
        least = std::min(least, value);
        most = std::max(most, value);
    }
    if (least == most) {
        add(least, values.size());
        return;
    }
    if (least < -kLargest or most > kLargest) {
        for (const std::int64_t value : values) {
            add(value);
        }
        return;
    }
    note(least);
    note(most);
    moments_.add(values, least, most);
    if (many_ == nullptr and count() > kFewValues) {
        become_many();
    }
    if (many_ != nullptr) {
        count_each_among_many(values, least, most);
    } else {
        count_each(values);
    }
}

void LogHistogram::count_each_among_many(std::span<const std::int64_t> values, std::int64_t least, std::int64_t most) {
    Many& many = own_many();
    if (most >= 0) {
        grow(many.positive, log_bin(static_cast<std::uint64_t>(most)) + 1);
    }
    if (least < 0) {
        grow(many.negative, log_bin(static_cast<std::uint64_t>(-least)) + 1);
    }
    std::uint16_t* const positive = many.positive.data();
    std::uint16_t* const negative = many.negative.data();
    for (const std::int64_t value : values) {
        std::uint16_t* const bins = value < 0 ? negative : positive;
        if (++bins[log_bin(static_cast<std::uint64_t>(std::abs(value)))] == 0) {
            many.carried[bin_of(value)] += kCarry;
        }
    }
}

// Few bins are found by searching, so each of them is searched for once.
void LogHistogram::count_each(std::span<const std::int64_t> values) {
    constexpr std::size_t kAtOnce = 256;
    std::array<std::int16_t, kAtOnce> bins;
    while (not values.empty()) {
        const auto some = values.first(std::min(kAtOnce, values.size()));
        const auto end = std::ranges::transform(some, bins.begin(), bin_of).out;
        std::sort(bins.begin(), end);
        for (auto first = bins.begin(); first != end;) {
            const auto next = std::find_if(first, end, [&](std::int16_t bin) { return bin != *first; });
            count_in(*first, static_cast<std::uint64_t>(next - first));
            first = next;
        }
        values = values.subspan(some.size());
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
    const auto place = std::ranges::lower_bound(few_, bin, {}, &Few::bin);
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

void LogHistogram::Many::add(std::int16_t bin, std::uint64_t times) {
    auto& bins = bin < 0 ? negative : positive;
    const auto index = static_cast<std::size_t>(bin < 0 ? -1 - bin : bin);
    grow(bins, index + 1);
    const std::uint64_t low = times % kCarry + bins[index];
    bins[index] = static_cast<std::uint16_t>(low % kCarry);
    const std::uint64_t high = times - times % kCarry + (low - low % kCarry);
    if (high > 0) {
        carried[bin] += high;
    }
}

template <typename Visit>
void LogHistogram::for_each_of_many(Visit visit) const {
    const auto tell = [&](std::int16_t bin, std::uint16_t low) {
        const auto high = many_->carried.find(bin);
        const std::uint64_t count = low + (high == many_->carried.end() ? 0 : high->second);
        if (count != 0) {
            visit(bin, count);
        }
    };
    for (std::size_t i = many_->negative.size(); i-- > 0;) {
        tell(static_cast<std::int16_t>(-1 - static_cast<int>(i)), many_->negative[i]);
    }
    for (std::size_t i = 0; i < many_->positive.size(); ++i) {
        tell(static_cast<std::int16_t>(i), many_->positive[i]);
    }
}

LogHistogram::Many& LogHistogram::own_many() {
    if (many_.use_count() > 1) {
        many_ = std::make_shared<Many>(*many_);
    }
    return *many_;
}

void LogHistogram::become_many() {
    many_ = std::make_shared<Many>();
    for (const Few& few : few_) {
        many_->add(few.bin, few.count);
    }
    few_ = std::vector<Few>();
}

void LogHistogram::reserve(std::int64_t magnitude) {
    if (many_ == nullptr) {
        become_many();
    }
    magnitude = std::clamp(magnitude, -kLargest, kLargest);
    const std::size_t size = log_bin(static_cast<std::uint64_t>(magnitude < 0 ? -magnitude : magnitude)) + 1;
    grow(own_many().positive, size);
    grow(own_many().negative, size);
}

void LogHistogram::merge(const LogHistogram& other) {
    if (other.count() == 0) {
        return;
    }
    moments_.merge(other.moments_);
    for (const Few& few : other.few_) {
        count_in(few.bin, few.count);
    }
    if (other.many_ != nullptr) {
        if (many_ == nullptr) {
            become_many();
        }
        other.for_each_of_many([&many = own_many()](std::int16_t bin, std::uint64_t count) { many.add(bin, count); });
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
    return moments_.has_deviation() ? moments_.deviation() : deviation_of_bins();
}

double LogHistogram::deviation_of_bins() const {
    const double center = mean();
    double squares = 0;
    for (const Bin& bin : bins()) {
        const std::int64_t middle = bin.low + (bin.high - bin.low) / 2;
        const double apart = static_cast<double>(middle) - center;
        squares += static_cast<double>(bin.count) * apart * apart;
    }
    return std::sqrt(squares / static_cast<double>(count() - 1));
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
    if (many_ == nullptr) {
        return result;
    }
    for_each_of_many([&](std::int16_t bin, std::uint64_t count) {
        result.push_back(whole_bin(bin < 0, static_cast<std::size_t>(bin < 0 ? -1 - bin : bin), count));
    });
    return result;
}

}  // namespace groma
