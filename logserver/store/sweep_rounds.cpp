#include "logserver/store/sweep_rounds.hpp"

#include <algorithm>
#include <iterator>

#include "logserver/store/turns.hpp"

namespace groma {

Sweep SweepRounds::begin(const std::vector<StoredLog*>& logs, bool sync_all, WallTime now) {
    Sweep sweep{{}, now, sync_all ? Durability::machine : Durability::process};
    round_ += left_over_ == 0 ? 1 : 0;
    std::vector<StoredLog*> due;
    std::ranges::copy_if(logs, std::back_inserter(due),
                         [this](const StoredLog* log) { return log->is_ending() or log->swept_in() < round_; });
    std::ranges::stable_sort(due, {}, &StoredLog::swept_in);
    for (StoredLog* log : by_turns(
             due, [](const StoredLog* each) { return each->host(); }, kMostInSweep)) {
        sweep.durability = log->is_ending() ? Durability::machine : sweep.durability;
        sweep.jobs.push_back(log->begin_sweep(sync_all, round_));
    }
    left_over_ = due.size() - sweep.jobs.size();
    return sweep;
}

}  // namespace groma
