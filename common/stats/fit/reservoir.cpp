#include "common/stats/fit/reservoir.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "common/model/distributions/stream.hpp"

namespace groma {

double clock_resolution(const std::vector<std::int64_t>& times_ns) {
    constexpr std::size_t kFewestDifferent = 20;
    std::vector<std::int64_t> different(times_ns);
    std::ranges::sort(different);
    different.erase(std::ranges::unique(different).begin(), different.end());
    if (different.size() < kFewestDifferent) {
        return 1;
    }
    for (const std::int64_t step : std::array<std::int64_t, 2>{1'000'000, 1'000}) {
        if (std::ranges::all_of(different, [step](std::int64_t time) { return time % step == 0; })) {
            return static_cast<double>(step);
        }
    }
    return 1;
}

std::uint64_t Reservoir::chance(std::uint64_t below) {
    state_ += 0x9e3779b97f4a7c15ULL;  // SplitMix64
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(mix(state_)) * below) >> 64U);
}

void Reservoir::add(std::int64_t value) {
    ++seen_;
    if (values_.size() < most_) {
        values_.push_back(value);
    } else if (const std::uint64_t place = chance(seen_); place < most_) {
        values_[static_cast<std::size_t>(place)] = value;
    }
}

void Reservoir::hold_to(std::size_t most) {
    most_ = std::min(most_, most);
    if (values_.size() <= most_) {
        return;
    }
    for (std::size_t i = 0; i < most_; ++i) {
        std::swap(values_[i], values_[i + static_cast<std::size_t>(chance(values_.size() - i))]);
    }
    values_.resize(most_);
    values_.shrink_to_fit();
}

}  // namespace groma
