// A histogram of 64-bit values with bounded relative error and bounded memory, as in HdrHistogram: linear bins within
// each power of two. Merging is adding; order does not matter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "common/stats/histograms/bin_table.hpp"
#include "common/stats/histograms/exact_moments.hpp"
#include "common/stats/histograms/log_bins.hpp"

namespace groma {

/// Values from -2^62 to 2^62 (others are clamped); negative ones have mirrored bins. A percentile is off by at most
/// 1/128 of its value (below 128: exact). The mean, deviation, minimum and maximum are exact to double precision, the
/// same in whatever order values were added and histograms merged.
/// Memory: 4 bytes for each bin in use while there are fewer than 65,536 values in up to 512 bins; later 2 bytes for
/// each bin from the smallest in use to the largest, at most 30 KiB. Copies share those until one of them changes.
class LogHistogram {
public:
    /// Allocates now and then, when a value needs a bin that none before it did; reserve() prevents that.
    void add(std::int64_t value) {
        value = std::clamp(value, -kLargest, kLargest);
        note(value);
        moments_.add(value);
        const std::int16_t bin = bin_of(value);
        if (many_ == nullptr or many_.use_count() > 1 or not many_->count_one(bin)) {
            count_in(bin, 1);
        }
    }
    void add(std::int64_t value, std::uint64_t times);
    /// All of these: the same as one by one, and faster when they are many.
    void add(std::span<const std::int64_t> values);

    /// Makes room for values up to this magnitude, so that add() does not allocate.
    void reserve(std::int64_t magnitude);

    void merge(const LogHistogram& other);

    [[nodiscard]] std::uint64_t count() const { return moments_.count(); }
    [[nodiscard]] std::int64_t min() const;  ///< 0 when empty
    [[nodiscard]] std::int64_t max() const;  ///< 0 when empty
    [[nodiscard]] double mean() const;       ///< 0 when empty
    [[nodiscard]] double deviation() const;  ///< of the sample (n - 1); 0 below two values

    /// The smallest recorded value (to the bin's precision) that at least `fraction` (0..1) of the values do not
    /// exceed; percentile(0) is min(), percentile(1) is max(). 0 when empty.
    [[nodiscard]] std::int64_t percentile(double fraction) const;

    /// Of the smallest values, those of rank `fraction` (0..1) and below, rounded up: a one-sided trimmed mean. Values
    /// count as the middles of their bins; 0 when empty.
    [[nodiscard]] double trimmed_mean(double fraction) const;

    /// Non-empty bins in rising order: values from `low` up to and including `high`.
    struct Bin {
        std::int64_t low = 0;
        std::int64_t high = 0;
        std::uint64_t count = 0;
        bool operator==(const Bin&) const = default;
    };
    [[nodiscard]] std::vector<Bin> bins() const;

private:
    [[nodiscard]] std::int64_t middle_of(const Bin& bin) const;

    static constexpr std::int64_t kLargest = std::int64_t{1} << 62;

    static std::int16_t bin_of(std::int64_t value) {
        const auto index = static_cast<int>(log_bin(static_cast<std::uint64_t>(value < 0 ? -value : value)));
        return static_cast<std::int16_t>(value < 0 ? -1 - index : index);
    }
    void note(std::int64_t value) {
        min_ = std::min(min_, value);
        max_ = std::max(max_, value);
    }
    void count_in(std::int16_t bin, std::uint64_t times);
    void count_among_few(std::int16_t bin, std::uint64_t times);
    [[nodiscard]] BinTable& own_many();  ///< of no other histogram
    /// All of some bins, of which `least` and `most` are the smallest and the largest.
    void count_each(std::span<const std::int16_t> bins, int least, int most);
    void count_each_among_few(std::span<const std::int16_t> bins, int least, int most);
    void become_many();

    ExactMoments moments_;
    std::vector<BinCount> few_;       ///< rising; empty once there are many
    std::shared_ptr<BinTable> many_;  ///< null: there are few
    std::int64_t min_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t max_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace groma
