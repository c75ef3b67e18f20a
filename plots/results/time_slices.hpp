// Reading rows a slice of time at a time, so long that it has many rows and so short that they fit into memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "plots/results/series_source.hpp"

namespace groma {

inline constexpr std::size_t kSliceRows = 50'000;

/// Calls `read` with slices of whole intervals that follow on each other from `edge_s` on, until the last row is read,
/// and `take` with what it returned. A slice with too many rows is tried again at half its length, down to an interval,
/// which is read whatever it has.
template <typename Read, typename Take>
void for_each_slice(const SeriesExtent& extent, double edge_s, double interval_s, const Read& read, const Take& take) {
    const double start = std::min(edge_s, extent.first_s);
    const auto edge = [&](double intervals) { return start + intervals * interval_s; };
    double length = 64;
    for (double done = 0; edge(done) <= extent.last_s;) {
        const std::size_t most = length > 1 ? kSliceRows : std::numeric_limits<std::size_t>::max();
        const auto rows = read(TimeSlice{edge(done), edge(done + length), most});
        if (not rows) {
            length = std::max(1.0, std::floor(length / 2));
            continue;
        }
        take(*rows);
        done += length;
        std::size_t count = 0;
        std::ranges::for_each(*rows, [&](const auto& some) { count += some.size(); });
        length *= count < kSliceRows / 4 ? 2 : 1;
    }
}

}  // namespace groma
