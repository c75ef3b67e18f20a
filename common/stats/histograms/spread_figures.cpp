#include "common/stats/histograms/spread_figures.hpp"

namespace groma {

FigureValue spread_figure(const LogHistogram& values, SpreadFigure figure) {
    if (values.count() == 0 and figure != SpreadFigure::count) {
        return {};
    }
    switch (figure) {
        case SpreadFigure::count:
            return values.count();
        case SpreadFigure::min:
            return values.min();
        case SpreadFigure::mean:
            return values.mean();
        case SpreadFigure::sd:
            return values.count() > 1 ? FigureValue(values.deviation()) : FigureValue();
        case SpreadFigure::p50:
            return values.percentile(0.5);
        case SpreadFigure::p90:
            return values.percentile(0.9);
        case SpreadFigure::p99:
            return values.percentile(0.99);
        case SpreadFigure::p999:
            return values.percentile(0.999);
        case SpreadFigure::max:
            break;
    }
    return values.max();
}

}  // namespace groma
