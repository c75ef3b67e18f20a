// Threads of simulated programs: one runs at a time, on virtual time, and a seed decides which is next. Each is a real
// thread that waits for its turn, so that a debugger shows it, thread_local works, and a call that waits holds only the
// task that made it. kill() stops tasks for ever: nothing of their stacks is unwound, as in a program that was killed.
//
// Thread: what is called by tasks needs the turn, which whoever runs has; the rest is for the thread that calls run().
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

/// One thread waits until another lets it go on. The C library's semaphore, since those of C++ make calls that the
/// world stands in front of.
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
    std::function<bool()> ready;  ///< what it waits for; empty: its turn only
    Nanos deadline = Nanos::max();
    Nanos held_until{0};      ///< its process stands still until then
    std::uint32_t looks = 0;  ///< calls that took it no further, one after the other: see Tasks::poll()
    bool timed_out = false;
    bool over = false;  ///< it never runs again
    bool gone = false;  ///< nor does its thread
    pthread_t thread{};
    Turn turn;
};

class Tasks {
public:
    explicit Tasks(std::uint64_t seed) : random_(seed) {}

    /// Its work begins when it gets its turn. Throws: std::system_error without a thread to be had.
    Task& spawn(ProcessId process, std::function<void()> work);

    /// Returns when every task is over, none can ever go on, or virtual time is that.
    void run(Nanos until);

    /// The task that has the turn on this thread; null on threads that are no tasks, and outside of run().
    [[nodiscard]] static Task* current() noexcept;

    /// Waits until `ready` returns true; it is asked by whoever gives the turn away. Returns: whether it is, before the
    /// deadline. Needs the turn.
    bool await(std::function<bool()> ready, Nanos deadline = Nanos::max());
    /// Others may go on before this task does. Needs the turn.
    void pause() { await({}); }
    /// The task looked at something that may change, such as a clock: time passes, so that one that looks again and
    /// again gets somewhere.
    void poll();
    /// Time that something took.
    void pass(Nanos time) noexcept { now_ += time; }
    [[nodiscard]] Nanos now() const noexcept { return now_; }

    /// Calls `event` when it is time, on whichever thread has the turn.
    void at(Nanos when, std::function<void()> event) { events_.emplace(when, std::move(event)); }

    /// Its tasks run no more.
    void kill(ProcessId process) { end(process, nullptr); }
    /// Called for each task that is to run no more; it may be one that has gone.
    std::function<void(const Task&)> ended;
    /// All but the one that has the turn.
    void end_others(ProcessId process) { end(process, current()); }
    void hold(ProcessId process, Nanos until);
    [[nodiscard]] std::size_t tasks_of(ProcessId process) const;
    /// The task whose thread this is; null: it is gone.
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
    std::vector<std::unique_ptr<Task>> tasks_;  ///< those that are not over, and those that were killed
    std::multimap<Nanos, std::function<void()>> events_;
    std::vector<Task*> able_;
    Turn main_;
    std::uint32_t next_id_ = 0;
};

}  // namespace groma::world
