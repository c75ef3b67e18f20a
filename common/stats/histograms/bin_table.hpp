// Counts of the bins of a histogram (log_bins.hpp). A bin is known by its index, one for values below 0 by that of the
// magnitude mirrored: -1 - index.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <vector>

namespace groma {

/// A bin in use.
struct BinCount {
    std::int16_t bin = 0;
    std::uint16_t count = 0;
};

/// Counts of a stretch of bins.
class BinCounts {
public:
    static constexpr std::size_t kWidest = 1024;

    /// How many there are of each bin from `least` on; they hold until the next call. Requires: all are among these,
    /// range <= kWidest, and less than 2^16 of them.
    std::span<const std::uint16_t> of(std::span<const std::int16_t> bins, int least, std::size_t range) noexcept;

    /// Likewise of the kWidest bins from `first` on, whatever else there is.
    std::span<const std::uint16_t> within(std::span<const std::int16_t> bins, int first) noexcept;
    /// How many that left out.
    [[nodiscard]] std::size_t left_out() const noexcept { return tables_[0][kWidest]; }

private:
    /// Counts place_of(bin) of each, below `places`.
    template <typename Place>
    void count(std::span<const std::int16_t> bins, std::size_t places, Place place_of) noexcept;
    template <std::size_t tables, typename Place>
    void count_in(std::span<const std::int16_t> bins, std::size_t places, Place place_of) noexcept;

    std::array<std::array<std::uint16_t, kWidest + 1>, 4> tables_;  // used as far as the range goes
};

/// A place for every bin from the smallest in use to the largest, of 2 bytes. The few counts that need more have the
/// rest in a map.
class BinTable {
public:
    /// Makes room for the bins from `least` to `most`.
    void cover(int least, int most);

    /// Counts one, and returns true; or does nothing, and returns false, where that takes more than adding 1.
    bool count_one(std::int16_t bin) noexcept {
        const std::size_t place = place_of(bin);
        if (place >= low_.size() or low_[place] == std::numeric_limits<std::uint16_t>::max()) {
            return false;
        }
        ++low_[place];
        return true;
    }
    void add(std::int16_t bin, std::uint64_t times);
    /// Requires: in rising order.
    void add(std::span<const BinCount> counts);
    /// Each of some bins, of which `least` and `most` are the smallest and the largest.
    void add_each(std::span<const std::int16_t> bins, int least, int most);
    void merge(const BinTable& other);

    /// visit(bin, count) for all that are not empty, in rising order.
    template <typename Visit>
    void for_each(Visit visit) const {
        for (std::size_t place = 0; place < low_.size(); ++place) {
            const std::int16_t bin = bin_at(place);
            const auto high = carried_.find(bin);
            const std::uint64_t count = low_[place] + (high == carried_.end() ? 0 : high->second);
            if (count != 0) {
                visit(bin, count);
            }
        }
    }

private:
    [[nodiscard]] std::size_t place_of(int bin) const { return static_cast<std::size_t>(bin - first_); }
    [[nodiscard]] std::int16_t bin_at(std::size_t place) const {
        return static_cast<std::int16_t>(first_ + static_cast<int>(place));
    }
    /// Of the bins from `least` on. Requires: they are covered.
    void add(int least, std::span<const std::uint16_t> counts);
    void add_one(std::int16_t bin);

    std::vector<std::uint16_t> low_;                 // the low 16 bits of each bin's count
    std::map<std::int16_t, std::uint64_t> carried_;  // what bins hold above them
    int first_ = 0;
};

}  // namespace groma
