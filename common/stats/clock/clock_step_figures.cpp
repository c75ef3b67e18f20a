#include "common/stats/clock/clock_step_figures.hpp"

namespace groma {

const FigureTable<ClockStep>& clock_step_figures() {
    static const FigureTable<ClockStep> kTable =
        FigureTable<ClockStep>()
            .add("at_ns", "when, on the sender's clock, since 1970", &ClockStep::at)
            .add("within_ns", "largest error of `at_ns`", &ClockStep::within)
            .add("size_ns", "positive: the receiver's clock jumped ahead of the sender's", &ClockStep::size)
            .add("error_ns", "largest error of the size", &ClockStep::error);
    return kTable;
}

}  // namespace groma
