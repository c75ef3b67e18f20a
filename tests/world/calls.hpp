// What the calls of simulated programs have in common; tests/world/calls_*.cpp define the calls themselves. This
// program has functions of the names of the C library's, which act on the world if a simulated task calls them, and are
// the C library's otherwise. Where a call is not known to the world, it is the C library's as well.
#pragma once

#include <ctime>
#include <memory>

#include "tests/world/real_calls.hpp"
#include "tests/world/world.hpp"

namespace groma::world {

/// The world of the task that calls; null: a real call is meant.
[[nodiscard]] inline World* simulated() noexcept {
    return Tasks::current() != nullptr ? living() : nullptr;
}

/// The same for a call on a descriptor: those of this program itself are real.
[[nodiscard]] inline World* simulated_at(int fd) noexcept {
    return fd >= kFirstDescriptor ? simulated() : nullptr;
}

[[nodiscard]] inline Nanos nanos(const timespec& time) noexcept {
    return std::chrono::seconds(time.tv_sec) + Nanos(time.tv_nsec);
}

/// A call takes some time, another task may come first, and a fault may strike. Returns: 0, or the error it fails with.
int enter(World& world, Call call = Call::none);

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
