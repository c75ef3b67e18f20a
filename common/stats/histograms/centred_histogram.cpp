#include "common/stats/histograms/centred_histogram.hpp"

#include <algorithm>
#include <span>

#include "common/stats/histograms/stretches.hpp"

namespace groma {

void CentredHistogram::add_first(std::int64_t value) {
    first_[count_of_first_++] = value;
    if (count_of_first_ < kFirst) {
        return;
    }
    base_ = std::ranges::min(first_);
    for (const std::int64_t each : first_) {
        around_.add(each - base_);
    }
}

void CentredHistogram::add(std::span<const std::int64_t> values) {
    while (not values.empty() and count_of_first_ < kFirst) {
        add_first(values.front());
        values = values.subspan(1);
    }
    constexpr std::size_t kMost = 256;
    std::array<std::int64_t, kMost> above;
    while (not values.empty()) {
        const std::size_t count = std::min(kMost, values.size());
        lower_all(values.first(count), base_, above);
        around_.add(std::span(above).first(count));
        values = values.subspan(count);
    }
}

CentredHistogram::Around CentredHistogram::around() const {
    if (count_of_first_ == kFirst) {
        return {around_, base_};
    }
    Around few;
    const auto values = std::span(first_).first(count_of_first_);
    few.base = values.empty() ? 0 : std::ranges::min(values);
    for (const std::int64_t each : values) {
        few.histogram.add(each - few.base);
    }
    return few;
}

std::int64_t CentredHistogram::min() const {
    if (count_of_first_ == 0) {
        return 0;
    }
    return count_of_first_ == kFirst ? around_.min() + base_
                                     : std::ranges::min(std::span(first_).first(count_of_first_));
}

}  // namespace groma
