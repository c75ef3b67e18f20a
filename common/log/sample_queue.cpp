#include "common/log/sample_queue.hpp"

#include <string>

#include "common/base/counted.hpp"

namespace groma {

void SampleQueue::push(FlowId flow, const ConnectionSample& sample) {
    const std::scoped_lock lock(mutex_);
    if (held_ >= kMost) {
        ++lost_;
        return;
    }
    samples_[flow].push_back(sample);
    ++held_;
}

bool SampleQueue::drain_to(LogWriter& log) {
    std::map<FlowId, std::vector<ConnectionSample>> samples;
    {
        const std::scoped_lock lock(mutex_);
        samples.swap(samples_);
        held_ = 0;
    }
    for (const auto& [flow, own] : samples) {
        log.add(flow, own);
    }
    return not samples.empty();
}

std::uint64_t SampleQueue::lost() const {
    const std::scoped_lock lock(mutex_);
    return lost_;
}

LogEvent samples_lost(std::uint64_t count, WallTime at) {
    return {.at = at,
            .flow = std::nullopt,
            .kind = "samples-lost",
            .text = counted(count, "sample") + " of connections found no room on their way to the log"};
}

}  // namespace groma
