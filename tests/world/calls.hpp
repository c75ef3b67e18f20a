// Code that the calls of simulated programs share; tests/world/calls_*.cpp define the calls. This program has functions
// with the names of the C library's. They act on the world if a simulated task calls them, and are the C library's
// otherwise. A call that the world does not define is the C library's as well.
#pragma once

#include <ctime>
#include <memory>

#include "tests/world/real_calls.hpp"
#include "tests/world/world.hpp"

namespace groma::world {

/// A call in progress, and its world; null: a real call. Memory that is allocated meanwhile belongs to the world, not
/// to the program.
class Inside {
public:
    explicit Inside(World* world) noexcept : world_(world) { ++depth; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { --depth; }
    operator World*() const noexcept { return world_; }  // NOLINT(google-explicit-constructor): it acts as the pointer
    World* operator->() const noexcept { return world_; }
    [[nodiscard]] static bool any() noexcept { return depth > 0; }

private:
    inline static thread_local int depth = 0;
    World* world_;
};

/// The world of the task that calls.
[[nodiscard]] inline Inside simulated() noexcept {
    return Inside(Tasks::current() != nullptr ? living() : nullptr);
}

/// The same for a call on a descriptor: those of this program itself are real.
[[nodiscard]] inline Inside simulated_at(int fd) noexcept {
    return fd >= kFirstDescriptor ? simulated() : Inside(nullptr);
}

[[nodiscard]] inline Nanos nanos(const timespec& time) noexcept {
    return std::chrono::seconds(time.tv_sec) + Nanos(time.tv_nsec);
}

/// Begins a call: time passes, another task may run first, and a fault may strike. Returns: 0, or the call's error.
int enter(World& world, Call call = Call::none);

/// Calls the C library's function `name` and returns its result, unless `place` is in a world; `here` is then that
/// world.
#define REAL_UNLESS(place, name, ...)                                              \
    static const auto really = groma::world::real::call<decltype(&::name)>(#name); \
    const groma::world::Inside here = place;                                       \
    if (here == nullptr) {                                                         \
        return really(__VA_ARGS__);                                                \
    }

/// From now on the seed decides what OpenSSL draws, which otherwise has secrets of its own. To be called before
/// programs begin: what OpenSSL makes once, for all of them, is there then.
void seed_openssl();

/// The task releases its mutexes and stops waiting.
void let_go(const Task& task);

/// Repeats `work` until it need not wait; only once unless `waits`.
template <class Work>
auto until_done(World& world, const std::shared_ptr<Description>& description, short events, bool waits, Work work) {
    while (true) {
        const auto done = work();
        if (done >= 0 or errno != EAGAIN or not waits) {
            return done;
        }
        world.tasks.await(
            [description, events] { return (description->events() & (events | POLLERR | POLLHUP)) != 0; });
    }
}

}  // namespace groma::world
