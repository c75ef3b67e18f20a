#include "decoder/analysis/arrivals.hpp"

#include <array>
#include <span>

#include "decoder/analysis/size_runs.hpp"

namespace groma {

void Arrivals::add(const ReceivedColumns& records, const Extent& received) {
    std::array<std::int64_t, kMostTogether> all_gaps;
    const auto gaps = std::span(all_gaps).first(records.count());
    differences_of(records.received_at, 0, gaps);
    gaps.front() = difference(wall_time_from_ns(records.received_at.front()), before_).count();
    gaps_.add(gaps);
    if (thorough_) {
        scales_.add(records.received_at, {});
    }
    before_ = wall_time_from_ns(records.received_at.back());
    first_ = std::min(first_, wall_time_from_ns(received.least));
    last_ = std::max(last_, wall_time_from_ns(received.most));
    packets_ += records.count();
    bytes_ += add_sizes(records.size, sizes_);
}

void Arrivals::tell(WallTime start, ReceivedFigures& figures) const {
    figures.packets = packets_;
    figures.bytes = bytes_;
    figures.sizes = spread_of(sizes_);
    if (packets_ > 0) {
        figures.arrivals = {difference(first_, start), difference(last_, start)};
    }
}

}  // namespace groma
