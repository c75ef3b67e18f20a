#include "common/stats/histograms/bin_table.hpp"

#include <algorithm>

#include "common/base/vectorised.hpp"
#include "common/stats/histograms/log_bins.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kCarry = std::uint64_t{1} << 16;
constexpr std::size_t kWorthATable = 128;  // so many bins at once, however far apart

constexpr int middle_of(int a, int b, int c) {
    return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// Towards minus infinity, to a whole number of octaves.
constexpr int octaves_below(int bin) {
    return bin & ~(static_cast<int>(kBinsPerOctave) - 1);
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

}  // namespace

// Many are the same: each second or fourth one has a table of its own, so that no count has to wait for the one before
// it.
template <std::size_t tables, typename Place>
void BinCounts::count_in(std::span<const std::int16_t> bins, std::size_t places, Place place_of) noexcept {
    for (auto& table : std::span(tables_).first(tables)) {
        std::fill_n(table.begin(), places, std::uint16_t{0});
    }
    const std::size_t whole = bins.size() / tables * tables;
    for (std::size_t i = 0; i < whole; i += tables) {
        for (std::size_t table = 0; table < tables; ++table) {
            ++tables_[table][place_of(bins[i + table])];
        }
    }
    for (const std::int16_t bin : bins.subspan(whole)) {
        ++tables_[0][place_of(bin)];
    }
    const auto sum = std::span(tables_[0]).first(places);
    for (std::size_t table = 1; table < tables; ++table) {
        static_cast<void>(add_all(sum, tables_[table]));
    }
}

template <typename Place>
void BinCounts::count(std::span<const std::int16_t> bins, std::size_t places, Place place_of) noexcept {
    // To begin and to add up a table takes time by its places.
    if (places <= bins.size()) {
        count_in<4>(bins, places, place_of);
    } else {
        count_in<2>(bins, places, place_of);
    }
}

std::span<const std::uint16_t> BinCounts::of(std::span<const std::int16_t> bins, int least,
                                             std::size_t range) noexcept {
    count(bins, range, [least](int bin) { return static_cast<std::size_t>(bin - least); });
    return std::span(tables_[0]).first(range);
}

std::span<const std::uint16_t> BinCounts::within(std::span<const std::int16_t> bins, int first) noexcept {
    count(bins, kWidest + 1, [first](int bin) { return std::min(static_cast<std::size_t>(bin - first), kWidest); });
    return std::span(tables_[0]).first(kWidest);
}

void BinTable::cover(int least, int most) {
    least = octaves_below(least);
    most = octaves_below(most) + static_cast<int>(kBinsPerOctave) - 1;
    if (low_.empty()) {
        first_ = least;
    }
    const int end = first_ + static_cast<int>(low_.size());
    if (least >= first_ and most < end) {
        return;
    }
    const int begin = std::min(first_, least);
    std::vector<std::uint16_t> wider(static_cast<std::size_t>(std::max(end, most + 1) - begin));
    std::ranges::copy(low_, wider.begin() + (first_ - begin));
    low_ = std::move(wider);
    first_ = begin;
}

void BinTable::add(std::int16_t bin, std::uint64_t times) {
    cover(bin, bin);
    std::uint16_t& count = low_[place_of(bin)];
    const std::uint64_t sum = times % kCarry + count;
    count = static_cast<std::uint16_t>(sum % kCarry);
    const std::uint64_t high = times - times % kCarry + (sum - sum % kCarry);
    if (high > 0) {
        carried_[bin] += high;
    }
}

void BinTable::add(std::span<const BinCount> counts) {
    if (not counts.empty()) {
        cover(counts.front().bin, counts.back().bin);
    }
    for (const auto& [bin, count] : counts) {
        add(bin, count);
    }
}

void BinTable::add_each(std::span<const std::int16_t> bins, int least, int most) {
    cover(least, most);
    const auto range = static_cast<std::size_t>(most - least) + 1;
    BinCounts aside;
    if (range <= std::min(8 * bins.size(), BinCounts::kWidest)) {
        add(least, aside.of(bins, least, range));
    } else if (bins.size() >= kWorthATable and range > BinCounts::kWidest) {
        // Most are near one another, some are far away.
        constexpr int width = BinCounts::kWidest;
        const int middle = middle_of(bins.front(), bins[bins.size() / 2], bins.back());
        const int first = std::clamp(middle - width / 2, least, most - width + 1);
        add(first, aside.within(bins, first));
        if (aside.left_out() > 0) {
            for (const std::int16_t bin : bins) {
                if (bin < first or bin >= first + width) {
                    add_one(bin);
                }
            }
        }
    } else {
        for (const std::int16_t bin : bins) {
            add_one(bin);
        }
    }
}

void BinTable::add_one(std::int16_t bin) {
    if (++low_[place_of(bin)] == 0) {
        carried_[bin] += kCarry;
    }
}

void BinTable::add(int least, std::span<const std::uint16_t> counts) {
    const auto mine = std::span(low_).subspan(place_of(least), counts.size());
    if (not add_all(mine, counts)) {
        return;
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
        if (mine[i] < counts[i]) {
            carried_[static_cast<std::int16_t>(least + static_cast<int>(i))] += kCarry;
        }
    }
}

void BinTable::merge(const BinTable& other) {
    if (not other.low_.empty()) {
        cover(other.first_, other.bin_at(other.low_.size() - 1));
        add(other.first_, other.low_);
    }
    for (const auto& [bin, count] : other.carried_) {
        carried_[bin] += count;
    }
}

}  // namespace groma
