#include "sender/run/live_run.hpp"

#include <utility>

namespace groma {

SentSoFar& SentSoFar::operator+=(const SentSoFar& more) {
    open_flows += more.open_flows;
    packets += more.packets;
    bytes += more.bytes;
    returned += more.returned;
    return *this;
}

SentSoFar sum_of(const std::vector<FlowProgress>& flows) {
    SentSoFar sum;
    for (const FlowProgress& flow : flows) {
        sum += {.open_flows = flow.finished ? 0U : 1U,
                .packets = flow.packets,
                .bytes = flow.bytes,
                .returned = flow.returned};
    }
    return sum;
}

LiveRun::Following::Following(LiveRun* run, std::function<std::vector<FlowProgress>()> progress) : run_(run) {
    if (run_ != nullptr) {
        const std::lock_guard lock(run_->mutex_);
        run_->progress_ = std::move(progress);
    }
}

LiveRun::Following::~Following() {
    if (run_ != nullptr) {
        const std::lock_guard lock(run_->mutex_);
        run_->last_ = sum_of(run_->progress_());
        run_->last_.open_flows = 0;
        run_->progress_ = nullptr;
    }
}

SentSoFar LiveRun::so_far() const {
    const std::lock_guard lock(mutex_);
    return progress_ ? sum_of(progress_()) : last_;
}

}  // namespace groma
