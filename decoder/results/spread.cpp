#include "decoder/results/spread.hpp"

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
    if (spread.count == 0 and figure != SpreadFigure::count) {
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
            return spread.deviation;
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

}  // namespace groma
