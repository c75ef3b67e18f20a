// Descriptors of simulated programs: reading, writing, waiting.
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstdarg>
#include <ctime>

#include "tests/world/calls.hpp"

namespace groma::world {
namespace {

Call writing(const Description& description) {
    return dynamic_cast<const OpenFile*>(&description) != nullptr    ? Call::write
           : dynamic_cast<const UdpSocket*>(&description) != nullptr ? Call::send
                                                                     : Call::none;
}

ssize_t read_from(World& world, int fd, std::span<const iovec> pieces) {
    enter(world);
    const auto description = world.current().find(fd);
    if (not description) {
        return -1;
    }
    return until_done(world, description, POLLIN, not description->nonblocking,
                      [&] { return description->read(pieces); });
}

ssize_t write_to(World& world, int fd, std::span<const iovec> pieces) {
    const auto description = world.current().find(fd);
    if (not description) {
        return -1;
    }
    if (const int error = enter(world, writing(*description)); error != 0) {
        return failed<ssize_t>(error);
    }
    return until_done(world, description, POLLOUT, not description->nonblocking,
                      [&] { return description->write(pieces); });
}

int poll_all(World& world, std::span<pollfd> wanted, Nanos deadline) {
    enter(world);
    Process& process = world.current();
    const auto look = [&process, wanted] {
        int count = 0;
        for (pollfd& one : wanted) {
            const auto description = one.fd < 0 ? nullptr : process.find(one.fd);
            const int events = one.fd < 0    ? 0
                               : description ? description->events() & (one.events | POLLERR | POLLHUP)
                                             : POLLNVAL;
            one.revents = static_cast<short>(events);
            count += events != 0 ? 1 : 0;
        }
        return count;
    };
    int ready = look();
    if (ready == 0 and deadline > world.tasks.now()) {
        world.tasks.await([&look] { return look() > 0; }, deadline);
        ready = look();
    }
    return ready;
}

int control(World& world, int fd, int command, long argument) {
    Process& process = world.current();
    const auto description = process.find(fd);
    if (not description) {
        return -1;
    }
    switch (command) {
        case F_GETFL:
            return description->nonblocking ? O_RDWR | O_NONBLOCK : O_RDWR;
        case F_SETFL:
            description->nonblocking = (argument & O_NONBLOCK) != 0;
            return 0;
        case F_GETFD:
            return FD_CLOEXEC;
        case F_SETFD:
            return 0;
        case F_DUPFD:
        case F_DUPFD_CLOEXEC:
            return process.install(description);
        case F_GETLK:
            reinterpret_cast<struct flock*>(argument)->l_type = F_UNLCK;
            return 0;
        case F_SETLK:
        case F_SETLKW:
            return 0;  // a database is opened by one program
        default:
            return failed(EINVAL);
    }
}

int control_epoll(World& world, int epoll_fd, int operation, int fd, const epoll_event* event) {
    enter(world);
    const Process& process = world.current();
    const auto epoll = process.find_as<Epoll>(epoll_fd, EINVAL);
    const auto target = process.find(fd);
    if (not epoll or not target) {
        return -1;
    }
    if (operation != EPOLL_CTL_DEL and dynamic_cast<const OpenFile*>(target.get()) != nullptr) {
        return failed(EPERM);
    }
    // Boost.Asio does not check whether its own descriptors could be added.
    if (operation == EPOLL_CTL_ADD and dynamic_cast<const Socket*>(target.get()) != nullptr) {
        if (const int error = world.faults.strike(world.current().program, Call::epoll); error != 0) {
            return failed(error);
        }
    }
    switch (operation) {
        case EPOLL_CTL_ADD:
            return epoll->add(fd, target, event->events, event->data.u64);
        case EPOLL_CTL_MOD:
            return epoll->change(fd, target, event->events, event->data.u64);
        default:
            return epoll->remove(fd, target);
    }
}

int wait_for_epoll(World& world, int fd, std::span<epoll_event> out, int timeout_ms) {
    enter(world);
    const auto epoll = world.current().find_as<Epoll>(fd, EINVAL);
    if (not epoll) {
        return -1;
    }
    if (timeout_ms != 0 and not epoll->any_ready()) {
        const Nanos deadline =
            timeout_ms < 0 ? Nanos::max() : world.tasks.now() + std::chrono::milliseconds(timeout_ms);
        world.tasks.await([&epoll] { return epoll->any_ready(); }, deadline);
    }
    std::vector<Epoll::Ready> ready(out.size());
    const std::size_t count = epoll->take(ready);
    for (std::size_t i = 0; i < count; ++i) {
        out[i].events = ready[i].events;
        out[i].data.u64 = ready[i].data;
    }
    return static_cast<int>(count);
}

template <class Make>
int made(World& world, Call call, bool nonblocking, Make make) {
    if (const int error = enter(world, call); error != 0) {
        return failed(error);
    }
    const std::shared_ptr<Description> description = make();
    description->nonblocking = nonblocking;
    return world.current().install(description);
}

/// Two ends; each reads what the other wrote.
int make_pair(World& world, int* fds, bool both_ways, bool nonblocking) {
    if (const int error = enter(world, Call::event); error != 0) {
        return failed(error);
    }
    const auto one_way = std::make_shared<ByteQueue>();
    const auto other_way = std::make_shared<ByteQueue>();
    other_way->closed = not both_ways;
    const std::array ends{std::make_shared<PipeEnd>(one_way, other_way), std::make_shared<PipeEnd>(other_way, one_way)};
    Process& process = world.current();
    for (std::size_t i = 0; i < 2; ++i) {
        ends[i]->other = ends[1 - i];
        ends[i]->nonblocking = nonblocking;
        if (not both_ways) {
            static int next = kFirstPipe;
            fds[i] = next++;
            pipes().emplace(fds[i], ends[i]);
            continue;
        }
        fds[i] = process.install(ends[i]);
        if (fds[i] < 0) {
            if (i == 1) {
                process.close(fds[0]);
            }
            return failed(EMFILE);
        }
    }
    return 0;
}

}  // namespace
}  // namespace groma::world

namespace world = groma::world;
namespace real = groma::world::real;
using groma::world::simulated;
using groma::world::simulated_at;

extern "C" {

ssize_t read(int fd, void* out, std::size_t size) {
    const iovec piece{out, size};
    REAL_UNLESS(simulated_at(fd), read, fd, out, size);
    return world::read_from(*here, fd, {&piece, 1});
}

ssize_t readv(int fd, const iovec* pieces, int count) {
    REAL_UNLESS(simulated_at(fd), readv, fd, pieces, count);
    return world::read_from(*here, fd, {pieces, static_cast<std::size_t>(count)});
}

ssize_t write(int fd, const void* bytes, std::size_t size) {
    const iovec piece{const_cast<void*>(bytes), size};
    REAL_UNLESS(simulated_at(fd), write, fd, bytes, size);
    return world::write_to(*here, fd, {&piece, 1});
}

ssize_t writev(int fd, const iovec* pieces, int count) {
    REAL_UNLESS(simulated_at(fd), writev, fd, pieces, count);
    return world::write_to(*here, fd, {pieces, static_cast<std::size_t>(count)});
}

int close(int fd) {
    REAL_UNLESS(simulated_at(fd), close, fd);
    enter(*here);
    return here->current().close(fd);
}

int dup(int fd) noexcept {
    REAL_UNLESS(simulated_at(fd), dup, fd);
    return world::control(*here, fd, F_DUPFD, 0);
}

int fcntl(int fd, int command, ...) {
    va_list list;
    va_start(list, command);
    const auto argument = va_arg(list, long);
    va_end(list);
    REAL_UNLESS(simulated_at(fd), fcntl, fd, command, argument);
    return world::control(*here, fd, command, argument);
}

int fcntl64(int fd, int command, ...) {
    va_list list;
    va_start(list, command);
    const auto argument = va_arg(list, long);
    va_end(list);
    return fcntl(fd, command, argument);
}

int poll(pollfd* wanted, nfds_t count, int timeout_ms) {
    REAL_UNLESS(simulated(), poll, wanted, count, timeout_ms);
    const world::Nanos deadline =
        timeout_ms < 0 ? world::Nanos::max() : here->tasks.now() + std::chrono::milliseconds(timeout_ms);
    return world::poll_all(*here, {wanted, count}, deadline);
}

int ppoll(pollfd* wanted, nfds_t count, const timespec* timeout, const sigset_t* mask) {
    REAL_UNLESS(simulated(), ppoll, wanted, count, timeout, mask);
    const world::Nanos deadline = timeout == nullptr ? world::Nanos::max() : here->tasks.now() + world::nanos(*timeout);
    return world::poll_all(*here, {wanted, count}, deadline);
}

int epoll_create1(int flags) noexcept {
    REAL_UNLESS(simulated(), epoll_create1, flags);
    return world::made(*here, world::Call::event, false, [] { return std::make_shared<world::Epoll>(); });
}

int epoll_create(int size) noexcept {
    REAL_UNLESS(simulated(), epoll_create, size);
    return epoll_create1(0);
}

int epoll_ctl(int epoll_fd, int operation, int fd, epoll_event* event) noexcept {
    REAL_UNLESS(simulated(), epoll_ctl, epoll_fd, operation, fd, event);
    return world::control_epoll(*here, epoll_fd, operation, fd, event);
}

int epoll_wait(int fd, epoll_event* events, int most, int timeout_ms) {
    REAL_UNLESS(simulated(), epoll_wait, fd, events, most, timeout_ms);
    return world::wait_for_epoll(*here, fd, {events, static_cast<std::size_t>(most)}, timeout_ms);
}

int eventfd(unsigned count, int flags) noexcept {
    REAL_UNLESS(simulated(), eventfd, count, flags);
    return world::made(*here, world::Call::event, (flags & EFD_NONBLOCK) != 0,
                       [=] { return std::make_shared<world::EventFd>(count); });
}

int eventfd_read(int fd, eventfd_t* value) {
    return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}

int eventfd_write(int fd, eventfd_t value) {
    return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

int pipe(int* fds) noexcept {
    REAL_UNLESS(simulated(), pipe, fds);
    return world::make_pair(*here, fds, false, false);
}

int socketpair(int domain, int type, int protocol, int* fds) noexcept {
    REAL_UNLESS(simulated(), socketpair, domain, type, protocol, fds);
    return world::make_pair(*here, fds, true, (type & O_NONBLOCK) != 0);
}

}  // extern "C"
