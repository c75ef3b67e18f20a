#include "tests/world/kernel.hpp"

#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "tests/world/world.hpp"

namespace groma::world {

std::size_t scatter(std::span<const iovec> pieces, std::string_view bytes) {
    std::size_t done = 0;
    for (const iovec& piece : pieces) {
        const std::size_t size = std::min(piece.iov_len, bytes.size() - done);
        std::memcpy(piece.iov_base, bytes.data() + done, size);
        done += size;
    }
    return done;
}

std::string gather(std::span<const iovec> pieces) {
    std::string bytes;
    for (const iovec& piece : pieces) {
        bytes.append(static_cast<const char*>(piece.iov_base), piece.iov_len);
    }
    return bytes;
}

ssize_t Description::read(std::span<const iovec> /*pieces*/) {
    return failed<ssize_t>(EINVAL);
}

ssize_t Description::write(std::span<const iovec> /*pieces*/) {
    return failed<ssize_t>(EINVAL);
}

int Process::install(std::shared_ptr<Description> description) {
    if (descriptors.size() >= most_descriptors) {
        living()->faults.met("no descriptor left in " + program);
        return failed(EMFILE);
    }
    int number = kFirstDescriptor;
    for (const auto& [taken, unused] : descriptors) {
        if (taken != number) {
            break;
        }
        ++number;
    }
    ++description->holders;
    descriptors.emplace(number, std::move(description));
    return number;
}

std::map<int, std::shared_ptr<Description>>& pipes() {
    static auto& all = *new std::map<int, std::shared_ptr<Description>>();
    return all;
}

int Process::close(int fd) {
    if (fd >= kFirstPipe) {
        return pipes().erase(fd) > 0 ? 0 : failed(EBADF);
    }
    const auto found = descriptors.find(fd);
    if (found == descriptors.end()) {
        return failed(EBADF);
    }
    const auto description = found->second;
    descriptors.erase(found);
    if (--description->holders == 0) {
        description->closed();
    }
    return 0;
}

void Process::close_all() {
    while (not descriptors.empty()) {
        close(descriptors.begin()->first);
    }
}

std::shared_ptr<Description> Process::find(int fd) const {
    const auto& all = fd >= kFirstPipe ? pipes() : descriptors;
    const auto found = all.find(fd);
    if (found == all.end()) {
        errno = EBADF;
        return nullptr;
    }
    return found->second;
}

ssize_t EventFd::read(std::span<const iovec> pieces) {
    if (count_ == 0) {
        return failed(EAGAIN);
    }
    const std::uint64_t count = std::exchange(count_, 0);
    return static_cast<ssize_t>(scatter(pieces, {reinterpret_cast<const char*>(&count), sizeof count}));
}

ssize_t EventFd::write(std::span<const iovec> pieces) {
    const std::string bytes = gather(pieces);
    std::uint64_t more = 0;
    std::memcpy(&more, bytes.data(), std::min(bytes.size(), sizeof more));
    count_ += more;
    changed();
    return static_cast<ssize_t>(bytes.size());
}

std::uint64_t TimerFd::expired() const {
    const Nanos now = clock_();
    if (next_ == Nanos{0} or now < next_) {
        return 0;
    }
    return interval_ == Nanos{0} ? 1 : 1 + static_cast<std::uint64_t>((now - next_) / interval_);
}

ssize_t TimerFd::read(std::span<const iovec> pieces) {
    const std::uint64_t count = expired();
    if (count == 0) {
        return failed(EAGAIN);
    }
    next_ = interval_ == Nanos{0} ? Nanos{0} : next_ + static_cast<std::int64_t>(count) * interval_;
    return static_cast<ssize_t>(scatter(pieces, {reinterpret_cast<const char*>(&count), sizeof count}));
}

void TimerFd::set(const std::shared_ptr<TimerFd>& self, Nanos first, Nanos interval) {
    next_ = first;
    interval_ = interval;
    if (first != Nanos{0}) {
        tasks_.at(tasks_.now() + std::max(Nanos{0}, first - clock_()), [weak = std::weak_ptr(self)] {
            if (const auto timer = weak.lock()) {
                timer->changed();
            }
        });
    }
}

std::uint32_t Epoll::ready(const Interest& interest) {
    const auto target = interest.target.lock();
    if (not target or interest.spent or ((interest.events & EPOLLET) != 0 and interest.seen == target->changes())) {
        return 0;
    }
    return static_cast<std::uint32_t>(target->events()) & (interest.events | EPOLLERR | EPOLLHUP);
}

short Epoll::events() const {
    return static_cast<short>(any_ready() ? POLLIN : 0);
}

bool Epoll::any_ready() const {
    return std::ranges::any_of(interests_, [](const auto& entry) { return ready(entry.second) != 0; });
}

int Epoll::add(int fd, const std::shared_ptr<Description>& target, std::uint32_t events, std::uint64_t data) {
    std::erase_if(interests_, [](const auto& entry) { return entry.second.target.expired(); });
    const bool is_new =
        interests_.emplace(std::pair(fd, target.get()), Interest{.target = target, .events = events, .data = data})
            .second;
    return is_new ? 0 : failed(EEXIST);
}

int Epoll::change(int fd, const std::shared_ptr<Description>& target, std::uint32_t events, std::uint64_t data) {
    const auto found = interests_.find({fd, target.get()});
    if (found == interests_.end()) {
        return failed(ENOENT);
    }
    found->second = Interest{.target = target, .events = events, .data = data};
    return 0;
}

int Epoll::remove(int fd, const std::shared_ptr<Description>& target) {
    return interests_.erase({fd, target.get()}) > 0 ? 0 : failed(ENOENT);
}

std::size_t Epoll::take(std::span<Ready> out) {
    std::size_t count = 0;
    auto at = interests_.upper_bound(last_);
    for (std::size_t looked = 0; looked < interests_.size() and count < out.size(); ++looked, ++at) {
        if (at == interests_.end()) {
            at = interests_.begin();
        }
        Interest& interest = at->second;
        if (const std::uint32_t events = ready(interest); events != 0) {
            interest.seen = interest.target.lock()->changes();
            interest.spent = (interest.events & EPOLLONESHOT) != 0;
            out[count++] = {events, interest.data};
            last_ = at->first;
        }
    }
    return count;
}

ssize_t NullDevice::write(std::span<const iovec> pieces) {
    return static_cast<ssize_t>(gather(pieces).size());
}

PipeEnd::~PipeEnd() {
    out_->closed = in_->closed = true;
    if (const auto peer = other.lock()) {
        peer->changed();
    }
}

short PipeEnd::events() const {
    return static_cast<short>((in_->bytes.empty() and not in_->closed ? 0 : POLLIN) |
                              (out_->bytes.size() < ByteQueue::kCapacity or out_->closed ? POLLOUT : 0) |
                              (in_->closed ? POLLHUP : 0));
}

ssize_t PipeEnd::read(std::span<const iovec> pieces) {
    if (in_->bytes.empty()) {
        return in_->closed ? 0 : failed(EAGAIN);
    }
    const std::size_t count = scatter(pieces, in_->bytes);
    in_->bytes.erase(0, count);
    if (const auto peer = other.lock()) {
        peer->changed();
    }
    return static_cast<ssize_t>(count);
}

ssize_t PipeEnd::write(std::span<const iovec> pieces) {
    if (out_->closed) {
        return failed(EPIPE);
    }
    const std::string bytes = gather(pieces);
    const std::size_t count =
        std::min(bytes.size(), ByteQueue::kCapacity - std::min(ByteQueue::kCapacity, out_->bytes.size()));
    if (count == 0 and not bytes.empty()) {
        return failed(EAGAIN);
    }
    out_->bytes.append(bytes, 0, count);
    if (const auto peer = other.lock()) {
        peer->changed();
    }
    return static_cast<ssize_t>(count);
}

}  // namespace groma::world
