#include "common/stats/bin_table.hpp"

#include <algorithm>

#include "common/base/vectorised.hpp"
#include "common/stats/log_bins.hpp"

namespace groma {

namespace {

constexpr std::uint64_t kCarry = std::uint64_t{1} << 16;

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

// Many are the same: each fourth one has a table of its own, so that no count has to wait for the one before it.
std::span<const std::uint16_t> BinCounts::of(std::span<const std::int16_t> bins, int least,
                                             std::size_t range) noexcept {
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
    if (range <= std::min(2 * bins.size(), BinCounts::kWidest)) {
        BinCounts aside;
        add(least, aside.of(bins, least, range));
        return;
    }
    for (const std::int16_t bin : bins) {
        if (++low_[place_of(bin)] == 0) {
            carried_[bin] += kCarry;
        }
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
