// A histogram of 64-bit values with bounded relative error and bounded memory, as in HdrHistogram: linear bins within
// each power of two. Merging is adding; order does not matter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "common/stats/exact_moments.hpp"
#include "common/stats/log_bins.hpp"

namespace groma {

/// Values from -2^62 to 2^62 (others are clamped); negative ones have mirrored bins. A percentile is off by at most
/// 1/128 of its value (below 128: exact). The mean, deviation, minimum and maximum are exact to double precision, the
/// same in whatever order values were added and histograms merged; only where values are so far apart that the sum of
/// their squares exceeds 128 bits, the deviation is that of the bins.
/// Memory: 4 bytes for each bin in use while there are fewer than 65,536 values in up to 512 bins; later 2 bytes for
/// each bin up to the largest in use, at most 15 KiB a sign. Copies share those until one of them changes.
class LogHistogram {
public:
    /// Allocates now and then, when a value needs a bin that none before it did; reserve() prevents that.
    void add(std::int64_t value) {
        value = std::clamp(value, -kLargest, kLargest);
        note(value);
        moments_.add(value);
        if (many_ != nullptr and many_.use_count() == 1) {
            const bool below = value < 0;
            auto& bins = below ? many_->negative : many_->positive;
            const std::size_t index = log_bin(static_cast<std::uint64_t>(below ? -value : value));
            if (index < bins.size() and bins[index] != std::numeric_limits<std::uint16_t>::max()) {
                ++bins[index];
                return;
            }
        }
        count_in(bin_of(value), 1);
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

    /// Non-empty bins in rising order: values from `low` up to and including `high`.
    struct Bin {
        std::int64_t low = 0;
        std::int64_t high = 0;
        std::uint64_t count = 0;
        bool operator==(const Bin&) const = default;
    };
    [[nodiscard]] std::vector<Bin> bins() const;

private:
    /// A bin in use: its index, or the index of the magnitude mirrored (-1 - index) for values below 0.
    struct Few {
        std::int16_t bin = 0;
        std::uint16_t count = 0;
    };

    /// By bin index: of 0 and above, and of the magnitudes of -1 and below.
    struct Many {
        std::vector<std::uint16_t> positive{};
        std::vector<std::uint16_t> negative{};
        std::map<std::int16_t, std::uint64_t> carried{};  ///< what bins hold above their 16 bits

        void add(std::int16_t bin, std::uint64_t times);
    };

    static constexpr std::int64_t kLargest = std::int64_t{1} << 62;

    static std::int16_t bin_of(std::int64_t value);
    void note(std::int64_t value) {
        min_ = std::min(min_, value);
        max_ = std::max(max_, value);
    }
    void count_in(std::int16_t bin, std::uint64_t times);
    void count_among_few(std::int16_t bin, std::uint64_t times);
    /// visit(bin, count) for all that are not empty, in rising order. Requires: there are many.
    template <typename Visit>
    void for_each_of_many(Visit visit) const;
    [[nodiscard]] Many& own_many();  ///< of no other histogram
    void count_each(std::span<const std::int64_t> values);
    void count_each_among_many(std::span<const std::int64_t> values, std::int64_t least, std::int64_t most);
    void become_many();
    [[nodiscard]] double deviation_of_bins() const;

    ExactMoments moments_;
    std::vector<Few> few_;        ///< rising; empty once there are many
    std::shared_ptr<Many> many_;  ///< null: there are few
    std::int64_t min_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t max_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace groma
