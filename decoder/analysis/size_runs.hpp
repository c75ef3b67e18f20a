// Sizes of packets, which often are equal many times in a row.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/stats/histograms/log_histogram.hpp"
#include "common/stats/histograms/stretches.hpp"

namespace groma {

/// Adds each of them, and returns their sum in bytes.
inline std::uint64_t add_sizes(std::span<const std::uint64_t> all, LogHistogram& sizes) {
    std::uint64_t bytes = 0;
    while (not all.empty()) {
        const std::size_t count = equals_at_front(all);
        sizes.add(static_cast<std::int64_t>(all.front()), count);
        bytes += all.front() * count;
        all = all.subspan(count);
    }
    return bytes;
}

}  // namespace groma
