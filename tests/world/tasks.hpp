// Threads of simulated programs: one runs at a time, in virtual time, and a seed decides which is next. Each is a real
// thread that waits for its turn, so that a debugger shows it, thread_local works, and a call that waits holds only the
// task that made it. kill() stops tasks permanently: their stacks are not unwound, as in a killed program.
//
// Thread: functions for tasks need the turn, which the running task has; the others are for the thread that calls
// run().
#pragma once

#include <pthread.h>
#include <semaphore.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "common/time/instant.hpp"

namespace groma::world {

using groma::Nanos;

/// A run of a program on a simulated host; each task belongs to one.
using ProcessId = std::uint32_t;

/// One thread waits until another lets it continue. It uses the C library's semaphore, because those of C++ make calls
/// that the world replaces.
class Turn {
public:
    Turn() { sem_init(&semaphore_, 0, 0); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { sem_destroy(&semaphore_); }
    void give() { sem_post(&semaphore_); }
    void await() {
        while (sem_wait(&semaphore_) != 0) {
        }
    }

private:
    sem_t semaphore_{};
};

struct Task {
    std::uint32_t id = 0;
    ProcessId process = 0;
    std::function<void()> work;
    std::function<bool()> ready;  ///< what it waits for; empty: only its turn
    Nanos deadline = Nanos::max();
    Nanos held_until{0};      ///< its process is suspended until then
    std::uint32_t looks = 0;  ///< consecutive calls without progress: see Tasks::poll()
    bool timed_out = false;
    bool over = false;  ///< it never runs again
    bool gone = false;  ///< its thread has ended too
    pthread_t thread{};
    Turn turn;
};

class Tasks {
public:
    explicit Tasks(std::uint64_t seed) : random_(seed) {}

    /// Its work begins when it gets its turn. Throws: std::system_error if there is no thread.
    Task& spawn(ProcessId process, std::function<void()> work);

    /// Returns when every task is over, none can continue, or virtual time reaches `until`.
    void run(Nanos until);

    /// The task that has the turn on this thread; null on threads that are not tasks, and outside of run().
    [[nodiscard]] static Task* current() noexcept;

    /// Waits until `ready` returns true; the task that gives the turn away calls it. Returns: whether that was before
    /// the deadline. Needs the turn.
    bool await(std::function<bool()> ready, Nanos deadline = Nanos::max());
    /// Lets other tasks run before this one continues. Needs the turn.
    void pause() { await({}); }
    /// The task read something that may change, such as a clock: time passes, so that a task that polls makes progress.
    void poll();
    /// Adds the time that an action took.
    void pass(Nanos time) noexcept { now_ += time; }
    [[nodiscard]] Nanos now() const noexcept { return now_; }

    /// Calls `event` at that time, on the thread that then has the turn.
    void at(Nanos when, std::function<void()> event) { events_.emplace(when, std::move(event)); }

    /// Its tasks never run again.
    void kill(ProcessId process) { end(process, nullptr); }
    /// Called for each task that never runs again; its thread may have ended before.
    std::function<void(const Task&)> ended;
    /// All but the one that has the turn.
    void end_others(ProcessId process) { end(process, current()); }
    void hold(ProcessId process, Nanos until);
    [[nodiscard]] std::size_t tasks_of(ProcessId process) const;
    /// The task of this thread; null: it is gone.
    [[nodiscard]] Task* find(pthread_t thread) const;

    [[nodiscard]] std::mt19937_64& random() noexcept { return random_; }
    [[nodiscard]] std::vector<std::string> waiting() const;

private:
    friend struct TurnGiver;

    void end(ProcessId process, const Task* but);
    [[nodiscard]] Task* choose();
    [[nodiscard]] bool can_run(Task& task) const;
    void run_due_events();
    [[nodiscard]] Nanos next_instant() const;
    void give_turn(Task* next);

    std::mt19937_64 random_;
    Nanos now_{1'000'000'000};
    Nanos until_{0};
    std::vector<std::unique_ptr<Task>> tasks_;  ///< unfinished and killed tasks
    std::multimap<Nanos, std::function<void()>> events_;
    std::vector<Task*> able_;
    Turn main_;
    std::uint32_t next_id_ = 0;
};

}  // namespace groma::world
