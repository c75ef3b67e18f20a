// The work of a log server's store that may block on the disk, in the background: claims of logs, sweeps, and slices of
// logs that are read again. They take turns, one at a time.
//
// Thread: the server's.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "logserver/background.hpp"
#include "logserver/log_server_settings.hpp"
#include "logserver/store/log_store.hpp"

namespace groma {

class StoreWork {
public:
    /// `swept` gets the error of each sweep, or of work that could not begin; empty: none.
    using Swept = std::function<void(const std::string&)>;

    /// Store and settings outlive it.
    StoreWork(LogStore& store, const LogServerSettings& settings, std::unique_ptr<Background> background, Swept swept);

    /// Begins the next work, unless some is under way; its end begins the next one.
    void work_on() noexcept;
    /// Makes everything durable as soon as possible.
    void sweep_now() noexcept;
    /// Logs have grown by this number of bytes: a sweep may be due.
    void took(std::uint64_t bytes) noexcept;
    [[nodiscard]] bool is_sweeping() const { return work_ == Work::sweep; }

    /// No log is opened any more.
    void stop_opening() { stopping_ = true; }
    /// Calls `done` when everything is durable. Requires: stop_opening().
    void finish(std::function<void()> done);

private:
    enum class Work : std::uint8_t { none, sweep, slice, claims };

    void start_work();
    [[nodiscard]] bool start(Work work);
    /// Returns: whether there is a job. `end` takes its outcome to the store.
    [[nodiscard]] bool start_job(Work work, std::function<void()> job, void (LogStore::*end)());
    [[nodiscard]] bool start_sweep_if_due();
    void start_sweep();
    void sweep_ended(const std::string& error);
    void finish_if_done();

    LogStore& store_;
    const LogServerSettings& settings_;
    std::vector<SyncOutcome> outcomes_;  ///< of a sweep; used by the background thread while it runs
    std::unique_ptr<Background> background_;
    Swept swept_;
    std::function<void()> done_;
    Work work_ = Work::none;  ///< in the background
    bool sweep_wanted_ = false;
    Work next_work_ = Work::claims;  ///< alternates
    bool stopping_ = false;
    std::uint64_t bytes_since_sweep_ = 0;
};

}  // namespace groma
