#include "mpi/batch/batch_progress.hpp"

#include <algorithm>
#include <utility>

#include "common/model/text/human.hpp"

namespace groma {

BatchProgress::BatchProgress(std::vector<BatchRun> ahead, std::size_t all) : ahead_(std::move(ahead)), all_(all) {}

void BatchProgress::on_run_begun(const BatchRun& run, MonoTime now) {
    const auto found = std::ranges::find(ahead_, run.number, &BatchRun::number);
    next_ = static_cast<std::size_t>(found - ahead_.begin()) + 1;
    first_begun_ = first_begun_.value_or(now);
    begun_ = now;
    running_ = true;
}

void BatchProgress::on_run_ended(MonoTime now) {
    beyond_plan_ += now - begun_ - ahead_[next_ - 1].planned.value_or(Nanos{0});
    ++ended_;
    running_ = false;
}

std::optional<Nanos> BatchProgress::left(MonoTime now) const {
    const Nanos beyond = ended_ == 0 ? Nanos{0} : beyond_plan_ / static_cast<std::int64_t>(ended_);
    Nanos left{0};
    for (std::size_t i = next_ - (running_ ? 1 : 0); i < ahead_.size(); ++i) {
        if (not ahead_[i].planned and ended_ == 0) {
            return std::nullopt;
        }
        Nanos run = ahead_[i].planned.value_or(Nanos{0}) + beyond;
        if (running_ and i == next_ - 1) {
            run -= std::min(run, now - begun_);
        }
        left += std::max(run, Nanos{0});
    }
    return left;
}

std::string BatchProgress::line(MonoTime now) const {
    const auto whole = [](Nanos span) {
        const auto seconds = std::chrono::floor<std::chrono::seconds>(span);
        return seconds.count() == 0 ? "0 s" : human_time(seconds);
    };
    const BatchRun& run = ahead_[next_ - 1];
    std::string text = "run " + std::to_string(run.number) + " of " + std::to_string(all_) + " (" + run.name + "), " +
                       whole(now - *first_begun_);
    if (const auto span = left(now)) {
        text += ", " + whole(*span) + " left";
    }
    return text;
}

}  // namespace groma
