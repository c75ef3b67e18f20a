#include "common/stats/histograms/spread.hpp"

#include <algorithm>
#include <cmath>

namespace groma {

std::vector<LogHistogram::Bin> Spread::bins() const {
    std::vector<LogHistogram::Bin> bins;
    if (values != nullptr) {
        bins = values->bins();
    }
    for (auto& bin : bins) {
        bin.low += shift;
        bin.high += shift;
    }
    return bins;
}

FigureValue spread_figure(const Spread& spread, SpreadFigure figure) {
    if (not spread.known or (spread.count == 0 and figure != SpreadFigure::count)) {
        return {};
    }
    switch (figure) {
        case SpreadFigure::count:
            return spread.count;
        case SpreadFigure::min:
            return spread.min;
        case SpreadFigure::mean:
            return spread.mean;
        case SpreadFigure::sd:
            return spread.count > 1 ? FigureValue(spread.deviation) : FigureValue();
        case SpreadFigure::p50:
            return spread.p50;
        case SpreadFigure::p90:
            return spread.p90;
        case SpreadFigure::p99:
            return spread.p99;
        case SpreadFigure::p999:
            return spread.p999;
        case SpreadFigure::max:
            break;
    }
    return spread.max;
}

Spread spread_of(const LogHistogram& histogram, Nanos shift) {
    const std::int64_t less = shift.count();
    Spread spread;
    spread.count = histogram.count();
    if (spread.count == 0) {
        return spread;
    }
    spread.min = histogram.min() - less;
    spread.mean = histogram.mean() - static_cast<double>(less);
    spread.deviation = histogram.deviation();
    spread.p50 = histogram.percentile(0.5) - less;
    spread.p90 = histogram.percentile(0.9) - less;
    spread.p99 = histogram.percentile(0.99) - less;
    spread.p999 = histogram.percentile(0.999) - less;
    spread.max = histogram.max() - less;
    spread.values = std::make_shared<const LogHistogram>(histogram);
    spread.shift = -less;
    return spread;
}

Spread spread_together(std::span<const Spread* const> parts) {
    LogHistogram all;
    for (const Spread* part : parts) {
        if (not part->known) {
            return unknown_spread();
        }
        if (part->values != nullptr) {
            all.merge(*part->values);
        }
    }
    return spread_of(all);
}

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
    mean_ += apart * (theirs / (mine + theirs));
    squares_ += deviation * deviation * (theirs - 1) + apart * apart * mine * theirs / (mine + theirs);
    if (first) {
        bins_ = values;
        origin_ = moved_by;
    } else {
        for (const auto& bin : values.bins()) {
            bins_.add(std::clamp(bin.low + (bin.high - bin.low) / 2 + moved_by, least, most) - origin_, bin.count);
        }
    }
    min_ = first ? least : std::min(min_, least);
    max_ = first ? most : std::max(max_, most);
}

Spread SpreadSum::result(Nanos shift) const {
    Spread spread = spread_of(bins_, shift - Nanos{origin_});
    if (spread.count > 0) {
        const std::int64_t less = shift.count();
        spread.min = min_ - less;
        spread.max = max_ - less;
        spread.mean = mean_ - static_cast<double>(less);
        spread.deviation = spread.count < 2 ? 0 : std::sqrt(squares_ / static_cast<double>(spread.count - 1));
    }
    return spread;
}

void CentredSum::add(const CentredHistogram& values) {
    const CentredHistogram::Around around = values.around();
    if (around.histogram.count() > 0) {
        base_ = base_.value_or(around.base);
        sum_.add(around.histogram, around.base - *base_);
    }
}

}  // namespace groma
