// Clocks, sleep and random numbers of simulated programs.
#define OPENSSL_SUPPRESS_DEPRECATED  // its successor to RAND_METHOD is a provider of its own
#include <openssl/rand.h>
#include <sys/random.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <random>

#include "common/access/tls.hpp"
#include "tests/world/calls.hpp"

namespace groma::world {
namespace {

timespec spec(Nanos time) {
    return {.tv_sec = time.count() / 1'000'000'000, .tv_nsec = time.count() % 1'000'000'000};
}

bool is_wall(clockid_t clock) {
    return clock == CLOCK_REALTIME or clock == CLOCK_REALTIME_COARSE or clock == CLOCK_TAI;
}

Nanos look_at(World& world, clockid_t clock) {
    world.tasks.poll();
    const Host& host = *world.current().host;
    return is_wall(clock) ? host.wall(world.tasks.now()) : host.monotonic(world.tasks.now());
}

/// For OpenSSL.
int give_random_bytes(unsigned char* out, int size) {
    static std::mt19937_64 of_no_program;
    const Inside here = simulated();
    std::generate_n(out, size, [&] {
        return static_cast<unsigned char>(here != nullptr ? here->tasks.random()() : of_no_program());
    });
    return 1;
}

void sleep_until(World& world, Nanos deadline) {
    world.tasks.await([] { return false; }, deadline);
}

}  // namespace

void seed_openssl() {
    static const RAND_METHOD method{.seed = nullptr,
                                    .bytes = &give_random_bytes,
                                    .cleanup = nullptr,
                                    .add = nullptr,
                                    .pseudorand = &give_random_bytes,
                                    .status = [] { return 1; }};
    RAND_set_rand_method(&method);
    static_cast<void>(tls_context(TlsEnd::client));
}

}  // namespace groma::world

using groma::world::simulated;
namespace world = groma::world;
namespace real = groma::world::real;

extern "C" {

int clock_gettime(clockid_t clock, timespec* time) noexcept {
    REAL_UNLESS(simulated(), clock_gettime, clock, time);
    *time = world::spec(world::look_at(*here, clock));
    return 0;
}

int gettimeofday(timeval* time, void* zone) noexcept {
    static const auto get = real::call<int (*)(timeval*, void*)>("gettimeofday");
    const world::Inside here = simulated();
    if (here == nullptr) {
        return get(time, zone);
    }
    const timespec now = world::spec(world::look_at(*here, CLOCK_REALTIME));
    *time = {.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t* out) noexcept {
    REAL_UNLESS(simulated(), time, out);
    const time_t now = world::look_at(*here, CLOCK_REALTIME).count() / 1'000'000'000;
    if (out != nullptr) {
        *out = now;
    }
    return now;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* rest) {
    REAL_UNLESS(simulated(), clock_nanosleep, clock, flags, time, rest);
    const world::Host& host = *here->current().host;
    const world::Nanos now = here->tasks.now();
    const world::Nanos wanted = world::nanos(*time);
    const world::Nanos deadline = (flags & TIMER_ABSTIME) == 0 ? now + wanted
                                  : world::is_wall(clock)      ? now + (wanted - host.wall(now))
                                                               : host.world_time(wanted);
    world::sleep_until(*here, deadline);
    return 0;
}

int nanosleep(const timespec* time, timespec* rest) {
    REAL_UNLESS(simulated(), nanosleep, time, rest);
    world::sleep_until(*here, here->tasks.now() + world::nanos(*time));
    return 0;
}

int usleep(useconds_t time) {
    const timespec pause{.tv_sec = time / 1'000'000, .tv_nsec = time % 1'000'000 * 1000};
    return nanosleep(&pause, nullptr);
}

unsigned sleep(unsigned time) {
    const timespec pause{.tv_sec = time, .tv_nsec = 0};
    nanosleep(&pause, nullptr);
    return 0;
}

int adjtimex(timex* about) noexcept {
    REAL_UNLESS(simulated(), adjtimex, about);
    *about = timex{};
    return TIME_ERROR;  // the clocks of these hosts are not synchronised
}

ssize_t getrandom(void* out, std::size_t size, unsigned flags) {
    REAL_UNLESS(simulated(), getrandom, out, size, flags);
    std::generate_n(static_cast<unsigned char*>(out), size,
                    [&here] { return static_cast<unsigned char>(here->tasks.random()()); });
    return static_cast<ssize_t>(size);
}

int timerfd_create(clockid_t clock, int flags) noexcept {
    REAL_UNLESS(simulated(), timerfd_create, clock, flags);
    if (const int error = enter(*here, world::Call::event); error != 0) {
        return world::failed(error);
    }
    const world::Host* const host = here->current().host;
    const auto timer =
        std::make_shared<world::TimerFd>(here->tasks, [tasks = &here->tasks, host, wall = world::is_wall(clock)] {
            return wall ? host->wall(tasks->now()) : host->monotonic(tasks->now());
        });
    timer->nonblocking = (flags & TFD_NONBLOCK) != 0;
    return here->current().install(timer);
}

int timerfd_settime(int fd, int flags, const itimerspec* time, itimerspec* before) noexcept {
    REAL_UNLESS(simulated(), timerfd_settime, fd, flags, time, before);
    const auto timer = here->current().find_as<world::TimerFd>(fd, EINVAL);
    if (not timer) {
        return -1;
    }
    const world::Nanos first = world::nanos(time->it_value);
    const bool relative = (flags & TFD_TIMER_ABSTIME) == 0 and first != world::Nanos{0};
    timer->set(timer, relative ? timer->clock() + first : first, world::nanos(time->it_interval));
    return 0;
}

}  // extern "C"
