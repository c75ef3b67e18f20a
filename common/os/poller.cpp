#include "common/os/poller.hpp"

#include <algorithm>
#include <limits>

#include "common/os/checked.hpp"

namespace groma {

namespace {

std::uint32_t events_of(Interest interest) {
    switch (interest) {
        case Interest::read:
            return EPOLLIN;
        case Interest::write:
            return EPOLLOUT;
        case Interest::read_and_write:
            break;
    }
    return EPOLLIN | EPOLLOUT;
}

epoll_event event_of(std::uint64_t token, Interest interest) {
    epoll_event event{};
    event.events = events_of(interest);
    event.data.u64 = token;
    return event;
}

int milliseconds(std::optional<Nanos> limit) {
    if (not limit) {
        return -1;
    }
    const auto rounded = std::chrono::ceil<std::chrono::milliseconds>(*limit).count();
    return static_cast<int>(std::clamp<std::int64_t>(rounded, 0, std::numeric_limits<int>::max()));
}

}  // namespace

Poller::Poller() : fd_(checked("create an epoll instance", ::epoll_create1(EPOLL_CLOEXEC))) {}

void Poller::add(int fd, std::uint64_t token, Interest interest) {
    epoll_event event = event_of(token, interest);
    checked("wait on a file descriptor", ::epoll_ctl(fd_.get(), EPOLL_CTL_ADD, fd, &event));
}

void Poller::change(int fd, std::uint64_t token, Interest interest) {
    epoll_event event = event_of(token, interest);
    checked("change what is waited for on a file descriptor", ::epoll_ctl(fd_.get(), EPOLL_CTL_MOD, fd, &event));
}

void Poller::remove(int fd) noexcept {
    ::epoll_ctl(fd_.get(), EPOLL_CTL_DEL, fd, nullptr);
}

std::span<const Ready> Poller::wait(std::optional<Nanos> limit) noexcept {
    const int count = ::epoll_wait(fd_.get(), events_.data(), static_cast<int>(events_.size()), milliseconds(limit));
    const std::size_t ready = count > 0 ? static_cast<std::size_t>(count) : 0;
    for (std::size_t i = 0; i < ready; ++i) {
        const std::uint32_t events = events_[i].events;
        ready_[i] = {.token = events_[i].data.u64,
                     .readable = (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR)) != 0,
                     .writable = (events & (EPOLLOUT | EPOLLHUP | EPOLLERR)) != 0};
    }
    return std::span(ready_).first(ready);
}

}  // namespace groma
