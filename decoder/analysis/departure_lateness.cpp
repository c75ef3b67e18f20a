#include "decoder/analysis/departure_lateness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/time/difference.hpp"

namespace groma {

void DepartureLateness::give_up() {
    gave_up_ = true;
    values_ = {};
}

void DepartureLateness::add(std::uint64_t first, std::span<const std::int64_t> lateness) {
    if (room_ == nullptr or gave_up_ or lateness.empty()) {
        return;
    }
    if (values_.empty()) {
        first_ = first;
    }
    const std::uint64_t holes = first - first_ - values_.size();  // more than any room if numbers do not rise
    if (holes > static_cast<std::uint64_t>(kMost)) {
        give_up();
        return;
    }
    const auto more = static_cast<std::int64_t>(holes + lateness.size());
    if (room_->fetch_sub(more) < more) {
        give_up();
        return;
    }
    values_.resize(values_.size() + holes, std::numeric_limits<float>::quiet_NaN());
    std::ranges::transform(lateness, std::back_inserter(values_), [](std::int64_t value) {
        return static_cast<float>(held_to_longest(Nanos{value}).count());
    });
}

std::optional<Nanos> DepartureLateness::find(std::uint64_t seq) const {
    const auto values = known();
    const std::uint64_t place = seq - first_;
    if (place >= values.size() or std::isnan(values[place])) {
        return std::nullopt;
    }
    return Nanos{static_cast<std::int64_t>(values[place])};
}

bool DepartureLateness::add_to(std::uint64_t first, std::span<std::int64_t> delays) const {
    auto values = known();
    const std::uint64_t place = first - first_;
    if (place >= values.size() or delays.size() > values.size() - place) {
        return false;
    }
    values = values.subspan(place, delays.size());
    if (std::ranges::any_of(values, [](float value) { return std::isnan(value); })) {
        return false;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
        delays[i] = held_to_longest(Nanos{delays[i] + static_cast<std::int64_t>(values[i])}).count();
    }
    return true;
}

}  // namespace groma
