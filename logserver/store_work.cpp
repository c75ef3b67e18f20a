#include "logserver/store_work.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace groma {

StoreWork::StoreWork(LogStore& store, const LogServerSettings& settings, std::unique_ptr<Background> background,
                     Swept swept)
    : store_(store), settings_(settings), background_(std::move(background)), swept_(std::move(swept)) {}

void StoreWork::work_on() noexcept {
    if (work_ != Work::none) {
        return;
    }
    try {
        start_work();
    } catch (const std::exception& error) {
        store_.abandon_work();
        sweep_ended(error.what());
    }
}

void StoreWork::sweep_now() noexcept {
    sweep_wanted_ = true;
    work_on();
}

void StoreWork::took(std::uint64_t bytes) noexcept {
    bytes_since_sweep_ += bytes;
    if (settings_.sync == SyncPolicy::block or bytes_since_sweep_ >= settings_.limits.durable_bytes) {
        sweep_now();
    }
}

void StoreWork::start_work() {
    constexpr std::array kTurns{Work::claims, Work::sweep, Work::slice};
    const auto first = std::ranges::find(kTurns, next_work_) - kTurns.begin();
    for (std::size_t i = 0; i < kTurns.size(); ++i) {
        const std::size_t turn = (static_cast<std::size_t>(first) + i) % kTurns.size();
        next_work_ = kTurns[(turn + 1) % kTurns.size()];
        if (start(kTurns[turn])) {
            return;
        }
    }
}

bool StoreWork::start(Work work) {
    if (work == Work::sweep) {
        return start_sweep_if_due();
    }
    if (stopping_) {
        return false;
    }
    return work == Work::claims ? start_job(work, store_.begin_claims(), &LogStore::end_claims)
                                : start_job(work, store_.begin_slice(), &LogStore::end_slice);
}

bool StoreWork::start_job(Work work, std::function<void()> job, void (LogStore::*end)()) {
    if (not job) {
        return false;
    }
    work_ = work;
    background_->run(std::move(job), [this, end] {
        work_ = Work::none;
        (store_.*end)();
        sweep_wanted_ = sweep_wanted_ or stopping_;
        work_on();
        finish_if_done();
    });
    return true;
}

bool StoreWork::start_sweep_if_due() {
    // Finish the current round first; other requests wait for the next one.
    const bool wanted = store_.has_left_over() or std::exchange(sweep_wanted_, false);
    if (not wanted or not store_.needs_sweep()) {
        return false;
    }
    start_sweep();
    return true;
}

void StoreWork::start_sweep() {
    work_ = Work::sweep;
    bytes_since_sweep_ = 0;
    background_->run(
        [this, sweep = store_.begin_sweep(settings_.sync != SyncPolicy::close)] {
            outcomes_ = run_sweep(sweep, store_.catalogue());
        },
        [this] { sweep_ended(store_.end_sweep(outcomes_)); });
}

void StoreWork::sweep_ended(const std::string& error) {
    work_ = Work::none;
    swept_(error);
    if (error.empty()) {
        sweep_wanted_ = sweep_wanted_ or stopping_ or settings_.sync == SyncPolicy::block;
        work_on();
    }
    finish_if_done();
}

void StoreWork::finish(std::function<void()> done) {
    done_ = std::move(done);
    sweep_now();
    finish_if_done();
}

void StoreWork::finish_if_done() {
    if (done_ and work_ == Work::none) {
        std::exchange(done_, nullptr)();
    }
}

}  // namespace groma
