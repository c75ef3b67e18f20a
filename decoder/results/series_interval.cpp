#include "decoder/results/series_interval.hpp"

#include <algorithm>

#include "common/base/errors.hpp"

namespace groma {

SeriesInterval::SeriesInterval(Nanos asked, const SeriesLimits& limits) : asked_(asked), limits_(limits) {
    check(asked > Nanos{0}, "a series needs a positive interval");
}

void SeriesInterval::count_cell(unsigned doublings, unsigned apart) {
    const std::lock_guard lock(mutex_);
    const unsigned gone = std::min(doublings + apart, kNever);
    ++cells_until_[gone];
    cells_ += gone > this->doublings() ? 1 : 0;
    while (cells_ > limits_.of_run and can_double()) {
        double_once();
    }
}

bool SeriesInterval::double_beyond(unsigned doublings) {
    const std::lock_guard lock(mutex_);
    if (this->doublings() == doublings and can_double()) {
        double_once();
    }
    return this->doublings() > doublings;
}

bool SeriesInterval::can_double() const {
    constexpr Nanos kLongest{std::int64_t{1} << 60U};
    return length() < kLongest / 2;
}

void SeriesInterval::double_once() {
    const unsigned now = doublings() + 1;
    cells_ -= cells_until_[now];
    doublings_.store(now, std::memory_order_relaxed);
}

}  // namespace groma
