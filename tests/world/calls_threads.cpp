// Threads, mutexes, condition variables and futexes of simulated programs.
#include <dlfcn.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <unordered_map>

#include "tests/world/calls.hpp"

namespace groma::world {

namespace real {

void* function(const char* name) {
    void* const found = ::dlsym(RTLD_NEXT, name);
    if (found == nullptr) {
        std::fprintf(stderr, "the C library has no %s\n", name);
        std::abort();
    }
    return found;
}

int create_thread(std::size_t stack_bytes, pthread_t* thread, void* (*body)(void*), void* argument) {
    static const auto create = call<decltype(&::pthread_create)>("pthread_create");
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    const int error = create(thread, &attributes, body, argument);
    pthread_attr_destroy(&attributes);
    return error;
}

}  // namespace real

namespace {

struct Held {
    Task* owner = nullptr;
    std::uint32_t times = 0;
};

struct Waiter {
    const Task* task = nullptr;
    bool woken = false;
};

// Of all programs: they share one address space, and no two of them share a mutex.
std::unordered_map<const void*, Held>& mutexes() {
    static auto& all = *new std::unordered_map<const void*, Held>();
    return all;
}

/// The tasks that wait for a condition variable or a futex.
std::unordered_map<const void*, std::deque<Waiter*>>& waiters() {
    static auto& all = *new std::unordered_map<const void*, std::deque<Waiter*>>();
    return all;
}

int lock(World& world, pthread_mutex_t* mutex, bool waits) {
    enter(world);
    Task* const self = Tasks::current();
    const auto is_free = [=] { return mutexes()[mutex].owner == nullptr; };
    if (mutexes()[mutex].owner == self) {
        if ((mutex->__data.__kind & 3) != PTHREAD_MUTEX_RECURSIVE) {
            return waits ? EDEADLK : EBUSY;
        }
        ++mutexes()[mutex].times;
        return 0;
    }
    if (not is_free()) {
        if (not waits) {
            return EBUSY;
        }
        world.tasks.await(is_free);
    }
    mutexes()[mutex] = {.owner = self, .times = 1};
    return 0;
}

int unlock(pthread_mutex_t* mutex) {
    const auto found = mutexes().find(mutex);
    if (found == mutexes().end() or found->second.owner != Tasks::current()) {
        return EPERM;
    }
    if (--found->second.times == 0) {
        mutexes().erase(found);
    }
    return 0;
}

/// Returns: whether it was woken, before the deadline.
bool wait_at(World& world, const void* place, Nanos deadline) {
    Waiter self{.task = Tasks::current()};
    waiters()[place].push_back(&self);
    const bool woken = world.tasks.await([&self] { return self.woken; }, deadline);
    if (not woken) {
        std::erase(waiters()[place], &self);
    }
    return woken;
}

int wake(World& world, const void* place, int count) {
    enter(world);
    const auto found = waiters().find(place);
    int woken = 0;
    while (found != waiters().end() and not found->second.empty() and woken < count) {
        const std::size_t chosen = world.tasks.random()() % found->second.size();
        found->second[chosen]->woken = true;
        found->second.erase(found->second.begin() + static_cast<std::ptrdiff_t>(chosen));
        ++woken;
    }
    return woken;
}

Nanos deadline_of(World& world, clockid_t clock, const timespec& time) {
    const Host& host = *world.current().host;
    const Nanos now = world.tasks.now();
    return clock == CLOCK_REALTIME ? now + (nanos(time) - host.wall(now)) : host.world_time(nanos(time));
}

int wait_on(World& world, pthread_cond_t* condition, pthread_mutex_t* mutex, Nanos deadline) {
    enter(world);
    unlock(mutex);
    const bool woken = wait_at(world, condition, deadline);
    lock(world, mutex, true);
    return woken ? 0 : ETIMEDOUT;
}

long futex(World& world, const std::uint32_t* word, int operation, std::uint32_t value, const timespec* time) {
    switch (operation & FUTEX_CMD_MASK) {
        case FUTEX_WAIT:
        case FUTEX_WAIT_BITSET: {
            if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) {
                return failed<long>(EAGAIN);
            }
            Nanos deadline = Nanos::max();
            if (time != nullptr) {
                const bool relative = (operation & FUTEX_CMD_MASK) == FUTEX_WAIT;
                const clockid_t clock = (operation & FUTEX_CLOCK_REALTIME) != 0 ? CLOCK_REALTIME : CLOCK_MONOTONIC;
                deadline = relative ? world.tasks.now() + nanos(*time) : deadline_of(world, clock, *time);
            }
            return wait_at(world, word, deadline) ? 0 : failed<long>(ETIMEDOUT);
        }
        case FUTEX_WAKE:
        case FUTEX_WAKE_BITSET:
            return wake(world, word, static_cast<int>(value));
        default:
            return failed<long>(ENOSYS);
    }
}

}  // namespace

void let_go(const Task& task) {
    std::erase_if(mutexes(), [&task](const auto& held) { return held.second.owner == &task; });
    for (auto& [place, waiting] : waiters()) {
        std::erase_if(waiting, [&task](const Waiter* waiter) { return waiter->task == &task; });
    }
}

}  // namespace groma::world

using groma::world::simulated;
namespace world = groma::world;
namespace real = groma::world::real;

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) noexcept {
    REAL_UNLESS(simulated(), pthread_create, thread, attributes, body, argument);
    if (const int error = enter(*here, world::Call::thread); error != 0) {
        return error;
    }
    *thread = here->tasks.spawn(world::Tasks::current()->process, [=] { body(argument); }).thread;
    return 0;
}

int pthread_join(pthread_t thread, void** result) {
    static const auto join = real::call<decltype(&::pthread_join)>("pthread_join");
    if (const world::Inside here = simulated(); here != nullptr) {
        here->tasks.await([&] {
            const world::Task* const task = here->tasks.find(thread);
            return task == nullptr or task->over;
        });
    }
    return join(thread, result);
}

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
    REAL_UNLESS(simulated(), pthread_mutex_lock, mutex);
    return world::lock(*here, mutex, true);
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
    REAL_UNLESS(simulated(), pthread_mutex_trylock, mutex);
    return world::lock(*here, mutex, false);
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
    REAL_UNLESS(simulated(), pthread_mutex_unlock, mutex);
    return world::unlock(mutex);
}

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    REAL_UNLESS(simulated(), pthread_cond_wait, condition, mutex);
    return world::wait_on(*here, condition, mutex, world::Nanos::max());
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline) {
    REAL_UNLESS(simulated(), pthread_cond_timedwait, condition, mutex, deadline);
    return world::wait_on(*here, condition, mutex, world::deadline_of(*here, CLOCK_REALTIME, *deadline));
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* deadline) {
    REAL_UNLESS(simulated(), pthread_cond_clockwait, condition, mutex, clock, deadline);
    return world::wait_on(*here, condition, mutex, world::deadline_of(*here, clock, *deadline));
}

int pthread_cond_signal(pthread_cond_t* condition) noexcept {
    REAL_UNLESS(simulated(), pthread_cond_signal, condition);
    world::wake(*here, condition, 1);
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
    REAL_UNLESS(simulated(), pthread_cond_broadcast, condition);
    world::wake(*here, condition, INT32_MAX);
    return 0;
}

int pthread_cond_destroy(pthread_cond_t* condition) noexcept {
    REAL_UNLESS(simulated(), pthread_cond_destroy, condition);
    return 0;
}

int sched_yield() noexcept {
    REAL_UNLESS(simulated(), sched_yield, );
    here->tasks.pause();
    return 0;
}

long syscall(long number, ...) noexcept {
    va_list list;
    va_start(list, number);
    long arguments[6];
    for (long& argument : arguments) {
        argument = va_arg(list, long);
    }
    va_end(list);
    REAL_UNLESS(simulated(), syscall, number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
                arguments[5]);
    if (number == SYS_futex) {
        return world::futex(*here, reinterpret_cast<const std::uint32_t*>(arguments[0]), static_cast<int>(arguments[1]),
                            static_cast<std::uint32_t>(arguments[2]), reinterpret_cast<const timespec*>(arguments[3]));
    }
    return world::failed<long>(ENOSYS);
}

// Requests for scheduling: a simulated host gives no thread a priority.
int sched_setscheduler(pid_t process, int policy, const sched_param* parameters) noexcept {
    REAL_UNLESS(simulated(), sched_setscheduler, process, policy, parameters);
    return world::failed(EPERM);
}

int sched_setaffinity(pid_t process, std::size_t size, const cpu_set_t* cores) noexcept {
    REAL_UNLESS(simulated(), sched_setaffinity, process, size, cores);
    return 0;
}

int mlockall(int flags) noexcept {
    REAL_UNLESS(simulated(), mlockall, flags);
    return world::failed(EPERM);
}

int prctl(int option, ...) noexcept {
    va_list list;
    va_start(list, option);
    const auto argument = va_arg(list, unsigned long);
    va_end(list);
    REAL_UNLESS(simulated(), prctl, option, argument, 0UL, 0UL, 0UL);
    return 0;
}

int getrlimit(__rlimit_resource_t resource, rlimit* limit) noexcept {
    static const auto get = real::call<decltype(&::getrlimit)>("getrlimit");
    const world::Inside here = simulated();
    if (here == nullptr or resource != RLIMIT_NOFILE) {
        return get(resource, limit);
    }
    limit->rlim_cur = limit->rlim_max = world::kFirstDescriptor + here->current().most_descriptors;
    return 0;
}

int setrlimit(__rlimit_resource_t resource, const rlimit* limit) noexcept {
    REAL_UNLESS(simulated(), setrlimit, resource, limit);
    return 0;
}

int getrusage(__rusage_who_t who, rusage* usage) noexcept {
    REAL_UNLESS(simulated(), getrusage, who, usage);
    *usage = rusage{};
    return 0;
}

}  // extern "C"
