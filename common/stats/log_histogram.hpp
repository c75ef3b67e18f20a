// A histogram of 64-bit values with bounded relative error and bounded memory, as in HdrHistogram: linear bins within
// each power of two. Merging is adding; order does not matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace groma {

/// Values from -2^62 to 2^62 (others are clamped); negative ones have mirrored bins. A percentile is off by at most
/// 1/128 of its value (below 128: exact). The mean, deviation, minimum and maximum are exact to double precision.
/// Memory: 4 bytes for each bin in use while there are few values; later 8 bytes for each bin up to the largest in use,
/// at most 60 KiB a sign.
class LogHistogram {
public:
    LogHistogram() = default;

    /// Allocates now and then, when a value needs a bin that none before it did; reserve() prevents that.
    void add(std::int64_t value, std::uint64_t times = 1);

    /// Makes room for values up to this magnitude, so that add() does not allocate.
    void reserve(std::int64_t magnitude);

    void merge(const LogHistogram& other);

    [[nodiscard]] std::uint64_t count() const { return count_; }
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

    void count_in(std::int16_t bin, std::uint64_t times);
    void count_among_few(std::int16_t bin, std::uint64_t times);
    void count_among_many(std::int16_t bin, std::uint64_t times);
    void become_many();

    bool many_ = false;
    std::vector<Few> few_;                 ///< rising; empty once there are many
    std::vector<std::uint64_t> positive_;  ///< of 0 and above, by bin index
    std::vector<std::uint64_t> negative_;  ///< of -1 and below, by bin index of the magnitude
    std::uint64_t count_ = 0;
    std::int64_t min_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t max_ = std::numeric_limits<std::int64_t>::min();
    double mean_ = 0;  ///< Welford's running mean and sum of squares
    double squares_ = 0;
};

}  // namespace groma
