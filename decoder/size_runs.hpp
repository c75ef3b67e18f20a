// Sizes of packets, of which many that come one after the other are alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/stats/log_histogram.hpp"

namespace groma {

/// Adds the size of each record, and returns their sum in bytes.
template <typename Record>
std::uint64_t add_sizes(std::span<const Record> records, LogHistogram& sizes) {
    std::uint64_t bytes = 0;
    std::size_t first = 0;
    while (first < records.size()) {
        const std::uint64_t size = records[first].size;
        std::size_t end = first + 1;
        while (end < records.size() and records[end].size == size) {
            ++end;
        }
        sizes.add(static_cast<std::int64_t>(size), end - first);
        bytes += size * (end - first);
        first = end;
    }
    return bytes;
}

}  // namespace groma
