// The start of a run that another host says, on its way from the thread that hears it to the run that waits for it.
// Thread: any.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>

#include "common/time/clock.hpp"

namespace groma {

class AwaitedStart {
public:
    /// Does nothing after call_off(). Returns: whether there is a start now.
    bool give(MonoTime start);
    /// There will be none: the run was called off. Does nothing after a start.
    void call_off();

    /// Throws: RunError when it was called off.
    [[nodiscard]] MonoTime wait();
    /// The same, until `patience` is over, or `gave_up` says so. Throws: RunError when there is no start then.
    [[nodiscard]] MonoTime wait(Clock& clock, Nanos patience, const std::function<bool()>& gave_up);
    /// Nothing: there is none yet.
    [[nodiscard]] std::optional<MonoTime> now_known() const;

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<MonoTime> start_;
    bool called_off_ = false;
};

}  // namespace groma
