// Which records of arrivals can be computed together: most of a log's are alike.
#pragma once

#include <cstddef>

#include "common/stats/histograms/stretches.hpp"
#include "common/time/vicinity.hpp"
#include "common/wire/column_view.hpp"

namespace groma {

/// So many packets that have neighbouring numbers and say when they left, and the extents of their times.
struct PlainArrivals {
    std::size_t count = 0;
    Extent received{};
    Extent sent{};
};

/// How many of the first records are of such packets; 0 where one of their times is not near.
/// Requires: at least one record.
[[nodiscard]] PlainArrivals plain_among(const ReceivedColumns& records, const Vicinity& near);

}  // namespace groma
