#include "decoder/analysis/spread_sum.hpp"

#include <algorithm>
#include <cmath>

namespace groma {

void SpreadSum::add(const LogHistogram& values, std::int64_t moved_by) {
    if (values.count() == 0) {
        return;
    }
    const bool first = bins_.count() == 0;
    const std::int64_t least = values.min() + moved_by;
    const std::int64_t most = values.max() + moved_by;
    const double mine = static_cast<double>(bins_.count());
    const double theirs = static_cast<double>(values.count());
    const double apart = values.mean() + static_cast<double>(moved_by) - mean_;
    const double deviation = values.deviation();
    mean_ += apart * theirs / (mine + theirs);
    squares_ += deviation * deviation * (theirs - 1) + apart * apart * mine * theirs / (mine + theirs);
    for (const auto& bin : values.bins()) {
        bins_.add(std::clamp(bin.low + (bin.high - bin.low) / 2 + moved_by, least, most), bin.count);
    }
    min_ = first ? least : std::min(min_, least);
    max_ = first ? most : std::max(max_, most);
}

Spread SpreadSum::result(Nanos shift) const {
    Spread spread = spread_of(bins_, shift);
    if (spread.count > 0) {
        const std::int64_t less = shift.count();
        spread.min = min_ - less;
        spread.max = max_ - less;
        spread.mean = mean_ - static_cast<double>(less);
        spread.deviation = spread.count < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(spread.count - 1));
    }
    return spread;
}

}  // namespace groma
