#include "common/stats/log_histogram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "common/base/errors.hpp"
#include "common/base/vectorised.hpp"
#include "common/stats/log_bins.hpp"
#include "common/stats/stretches.hpp"

namespace groma {

namespace {

/// Beyond so many values, or bins in use, every bin has its place.
constexpr std::uint64_t kFewValues = std::numeric_limits<std::uint16_t>::max();
constexpr std::size_t kFewBins = 512;
constexpr std::size_t kStretch = 512;
constexpr std::uint64_t kCarry = std::uint64_t{1} << 16;

/// Towards minus infinity, to a whole number of octaves.
constexpr int octaves_below(int bin) {
    return bin & ~(static_cast<int>(kBinsPerOctave) - 1);
}

LogHistogram::Bin whole_bin(std::int16_t bin, std::uint64_t count) {
    const bool negative = bin < 0;
    const auto index = static_cast<std::size_t>(negative ? -1 - bin : bin);
    const std::int64_t low = lowest_of_bin(index);
    const std::int64_t high = highest_of_bin(index);
    return negative ? LogHistogram::Bin{-high, -low, count} : LogHistogram::Bin{low, high, count};
}

/// Returns: whether one of the sums did not fit.
GROMA_VECTORISED bool add_all(std::span<std::uint16_t> sums, std::span<const std::uint16_t> counts) noexcept {
    std::uint16_t* const __restrict to = sums.data();
    const std::uint16_t* const __restrict from = counts.data();
    const std::size_t size = sums.size();
    std::uint16_t carried = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const auto sum = static_cast<std::uint16_t>(to[i] + from[i]);
        carried = static_cast<std::uint16_t>(carried | (sum < from[i] ? 1 : 0));
        to[i] = sum;
    }
    return carried != 0;
}

/// Counts of a stretch of bins. Many are the same: each fourth one has a table of its own, so that no count has to wait
/// for the one before it.
class BinCounts {
public:
    static constexpr std::size_t kWidest = 1024;

    /// How many there are of each bin from `least` on. Requires: range <= kWidest, and less than 2^16 of them.
    std::span<const std::uint16_t> of(std::span<const std::int16_t> bins, int least, std::size_t range) noexcept {
        for (auto& table : tables_) {
            std::fill_n(table.begin(), range, std::uint16_t{0});
        }
        const std::size_t whole = bins.size() / kTables * kTables;
        for (std::size_t i = 0; i < whole; i += kTables) {
            for (std::size_t table = 0; table < kTables; ++table) {
                ++tables_[table][static_cast<std::size_t>(bins[i + table] - least)];
            }
        }
        for (const std::int16_t bin : bins.subspan(whole)) {
            ++tables_[0][static_cast<std::size_t>(bin - least)];
        }
        const auto sum = std::span(tables_[0]).first(range);
        for (std::size_t table = 1; table < kTables; ++table) {
            static_cast<void>(add_all(sum, tables_[table]));
        }
        return sum;
    }

private:
    static constexpr std::size_t kTables = 4;

    std::array<std::array<std::uint16_t, kWidest>, kTables> tables_;  // used as far as the range goes
};

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

void LogHistogram::Many::add_each(std::span<const std::int16_t> bins, int least, int most) {
    cover(least, most);
    const auto range = static_cast<std::size_t>(most - least) + 1;
    if (range <= std::min(2 * bins.size(), BinCounts::kWidest)) {
        BinCounts aside;
        add(least, aside.of(bins, least, range));
        return;
    }
    for (const std::int16_t bin : bins) {
        if (++low[place_of(bin)] == 0) {
            carried[bin] += kCarry;
        }
    }
}

// Few bins are found by searching, so each of them is searched for once.
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

void LogHistogram::Many::cover(int least, int most) {
    least = octaves_below(least);
    most = octaves_below(most) + static_cast<int>(kBinsPerOctave) - 1;
    if (low.empty()) {
        first = least;
    }
    const int end = first + static_cast<int>(low.size());
    if (least >= first and most < end) {
        return;
    }
    const int begin = std::min(first, least);
    std::vector<std::uint16_t> wider(static_cast<std::size_t>(std::max(end, most + 1) - begin));
    std::ranges::copy(low, wider.begin() + (first - begin));
    low = std::move(wider);
    first = begin;
}

void LogHistogram::Many::add(std::int16_t bin, std::uint64_t times) {
    cover(bin, bin);
    std::uint16_t& count = low[place_of(bin)];
    const std::uint64_t sum = times % kCarry + count;
    count = static_cast<std::uint16_t>(sum % kCarry);
    const std::uint64_t high = times - times % kCarry + (sum - sum % kCarry);
    if (high > 0) {
        carried[bin] += high;
    }
}

void LogHistogram::Many::add(int least, std::span<const std::uint16_t> counts) {
    const auto mine = std::span(low).subspan(place_of(least), counts.size());
    if (not add_all(mine, counts)) {
        return;
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (mine[i] < counts[i]) {
            carried[static_cast<std::int16_t>(least + static_cast<int>(i))] += kCarry;
        }
    }
}

void LogHistogram::Many::merge(const Many& other) {
    if (not other.low.empty()) {
        cover(other.first, other.bin_at(other.low.size() - 1));
        add(other.first, other.low);
    }
    for (const auto& [bin, count] : other.carried) {
        carried[bin] += count;
    }
}

template <typename Visit>
void LogHistogram::for_each_of_many(Visit visit) const {
    for (std::size_t place = 0; place < many_->low.size(); ++place) {
        const std::int16_t bin = many_->bin_at(place);
        const auto high = many_->carried.find(bin);
        const std::uint64_t count = many_->low[place] + (high == many_->carried.end() ? 0 : high->second);
        if (count != 0) {
            visit(bin, count);
        }
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
    if (not few_.empty()) {
        many_->cover(few_.front().bin, few_.back().bin);
    }
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
    const int bin = bin_of(std::abs(magnitude));
    own_many().cover(-1 - bin, bin);
}

void LogHistogram::merge(const LogHistogram& other) {
    if (other.count() == 0) {
        return;
    }
    moments_.merge(other.moments_);
    if (many_ != nullptr and not other.few_.empty()) {
        own_many().cover(other.few_.front().bin, other.few_.back().bin);
    }
    for (const Few& few : other.few_) {
        count_in(few.bin, few.count);
    }
    if (other.many_ != nullptr) {
        if (many_ == nullptr) {
            become_many();
        }
        own_many().merge(*other.many_);
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
        result.push_back(whole_bin(few.bin, few.count));
    }
    if (many_ == nullptr) {
        return result;
    }
    for_each_of_many([&](std::int16_t bin, std::uint64_t count) { result.push_back(whole_bin(bin, count)); });
    return result;
}

}  // namespace groma
