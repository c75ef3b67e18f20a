#include "common/net/socket/state_sampler.hpp"

#include <algorithm>
#include <utility>

namespace groma {

namespace {

constexpr Nanos kUsualInterval = std::chrono::milliseconds(100);
constexpr Nanos kIntervalOfMany = std::chrono::seconds(1);
constexpr std::size_t kMany = 10;

}  // namespace

void StateSampler::add(const FlowSpec& flow, ReadState read) {
    const std::optional<Nanos> interval = flow.options.state_interval;
    if (interval != Nanos{0} and traits(flow.transport).connects) {
        flows_.push_back({.id = flow.id, .interval = interval, .due = MonoTime{}, .read = std::move(read)});
    }
}

void StateSampler::sample(MonoTime now, WallTime wall, const Take& take) {
    for (Flow& flow : flows_) {
        if (now >= flow.due) {
            take_sample(flow, wall, take);
            flow.due = now + flow.interval.value_or(usual_interval());
        }
    }
}

Nanos StateSampler::usual_interval() const {
    return flows_.size() > kMany ? kIntervalOfMany : kUsualInterval;
}

void StateSampler::sample_all(WallTime wall, const Take& take) const {
    for (const Flow& flow : flows_) {
        take_sample(flow, wall, take);
    }
}

void StateSampler::take_sample(const Flow& flow, WallTime wall, const Take& take) {
    if (auto sample = flow.read()) {
        sample->at = wall;
        take(flow.id, *sample);
    }
}

std::optional<MonoTime> StateSampler::next_due() const {
    const auto next =
        std::min_element(flows_.begin(), flows_.end(), [](const Flow& a, const Flow& b) { return a.due < b.due; });
    return next == flows_.end() ? std::nullopt : std::optional(next->due);
}

}  // namespace groma
