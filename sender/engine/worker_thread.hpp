// The thread of a send worker: on its core, in real time if that is wanted and can be had.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "common/os/scheduling.hpp"
#include "common/os/thread_maker.hpp"
#include "common/time/clock.hpp"
#include "sender/engine/send_worker.hpp"

namespace groma {

struct WorkerPlace {
    std::optional<unsigned> core{};  ///< nothing: the kernel chooses, again and again
    Realtime realtime = Realtime::off;
};

/// Thread: the engine's owner, but for what the thread does.
class WorkerThread {
public:
    /// Worker and clock outlive this.
    WorkerThread(SendWorker& worker, Clock& clock, WorkerPlace place) : worker_(worker), clock_(clock), place_(place) {}
    WorkerThread(const WorkerThread&) = delete;
    WorkerThread& operator=(const WorkerThread&) = delete;
    ~WorkerThread() { join(); }

    /// The flows' offsets count from `at`. `ended` is called by the thread when all flows of the worker have ended.
    /// Throws: what `make_thread` throws.
    void start(MonoTime at, const ThreadMaker& make_thread, std::function<void()> ended);
    void join();

    /// Whether it ran in real time from the first packet to the last. Requires: join() was called.
    [[nodiscard]] bool realtime() const { return realtime_; }
    /// What could not be had, a sentence each. Requires: as realtime().
    [[nodiscard]] const std::vector<std::string>& warnings() const { return warnings_; }

private:
    void take_place();
    void run(MonoTime at) noexcept;
    /// Returns when the worker has finished, or has to go on without real time.
    void run_in_realtime() noexcept;

    SendWorker& worker_;
    Clock& clock_;
    WorkerPlace place_;
    bool realtime_ = false;
    bool too_busy_ = false;  ///< to stay in real time
    std::vector<std::string> warnings_;
    std::thread thread_;
};

}  // namespace groma
