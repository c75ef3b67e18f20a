// What the calls of simulated programs have in common; tests/world/calls_*.cpp define the calls themselves. This
// program has functions of the names of the C library's, which act on the world if a simulated task calls them, and are
// the C library's otherwise. Where a call is not known to the world, it is the C library's as well.
#pragma once

#include <ctime>
#include <memory>

#include "tests/world/real_calls.hpp"
#include "tests/world/world.hpp"

namespace groma::world {

/// A call that is being made, in its world; null: a real call is meant. What is allocated meanwhile is the world's and
/// not its program's.
class Inside {
public:
    explicit Inside(World* world) noexcept : world_(world) { ++depth; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside() { --depth; }
    operator World*() const noexcept { return world_; }  // NOLINT(google-explicit-constructor): it stands for it
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

/// A call takes some time, another task may come first, and a fault may strike. Returns: 0, or the error it fails with.
int enter(World& world, Call call = Call::none);

/// Of the function `name`: returns what the C library's does unless `place` is in a world, which is `here` from then
/// on.
#define REAL_UNLESS(place, name, ...)                                              \
    static const auto really = groma::world::real::call<decltype(&::name)>(#name); \
    const groma::world::Inside here = place;                                       \
    if (here == nullptr) {                                                         \
        return really(__VA_ARGS__);                                                \
    }

/// It holds no mutex any more, and waits for nothing.
void let_go(const Task& task);

/// Does it until it does not have to wait, or once.
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
