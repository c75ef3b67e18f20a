// The kernel of a simulated host: processes and their descriptors. Sockets are in network.hpp, files in disk.hpp; the
// calls of tests/world/calls_*.cpp act on them.
//
// Errors are those of calls of the C library: -1, and errno.
#pragma once

#include <poll.h>
#include <sys/types.h>
#include <sys/uio.h>

#include <cerrno>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "tests/world/tasks.hpp"

namespace groma::world {

class World;
struct Host;

/// The result of a failed call of the C library.
template <class Result = int>
Result failed(int error) {
    errno = error;
    return static_cast<Result>(-1);
}

/// An open file description (POSIX); several descriptors may share one.
class Description {
public:
    Description() = default;
    Description(const Description&) = delete;
    Description& operator=(const Description&) = delete;
    virtual ~Description() = default;

    /// As of poll(2): POLLIN, POLLOUT, POLLERR, POLLHUP, POLLRDHUP.
    [[nodiscard]] virtual short events() const = 0;
    /// EAGAIN if it would have to wait.
    virtual ssize_t read(std::span<const iovec> pieces);
    virtual ssize_t write(std::span<const iovec> pieces);

    /// Notes an event that wakes an edge-triggered epoll(7).
    void changed() noexcept { ++changes_; }
    [[nodiscard]] std::uint64_t changes() const noexcept { return changes_; }

    /// Called when its last descriptor is closed.
    virtual void closed() {}

    bool nonblocking = false;
    std::uint32_t holders = 0;  ///< descriptors that refer to it

private:
    std::uint64_t changes_ = 1;
};

/// Numbers below it are this program's own.
constexpr int kFirstDescriptor = 1000;
constexpr int kFirstPipe = 1'000'000;
constexpr std::size_t kMostDescriptors = 1024;

/// All programs share the descriptors of pipes: Boost.Asio keeps one for the signals of the real program.
[[nodiscard]] std::map<int, std::shared_ptr<Description>>& pipes();

/// A program that runs on a host.
struct Process {
    ProcessId id = 0;
    std::string program;  ///< for stories, such as "log server"
    Host* host = nullptr;
    std::map<int, std::shared_ptr<Description>> descriptors;
    std::size_t most_descriptors = kMostDescriptors;
    bool over = false;
    std::string failure;         ///< the exception that ended its main function; empty: none
    std::string left;            ///< kinds of the descriptors that were open when its main function returned
    std::size_t tasks_left = 0;  ///< threads that still ran then

    /// Takes the lowest free number. Returns: it; -1 and EMFILE where there is none.
    int install(std::shared_ptr<Description> description);
    /// As close(2).
    int close(int fd);
    void close_all();
    /// Null, and EBADF, if there is none.
    [[nodiscard]] std::shared_ptr<Description> find(int fd) const;
    template <class Kind>
    [[nodiscard]] std::shared_ptr<Kind> find_as(int fd, int otherwise) const {
        const auto found = find(fd);
        auto kind = std::dynamic_pointer_cast<Kind>(found);
        if (found and not kind) {
            errno = otherwise;
        }
        return kind;
    }
};

class EventFd final : public Description {
public:
    explicit EventFd(std::uint64_t count) : count_(count) {}
    [[nodiscard]] short events() const override { return static_cast<short>((count_ > 0 ? POLLIN : 0) | POLLOUT); }
    ssize_t read(std::span<const iovec> pieces) override;
    ssize_t write(std::span<const iovec> pieces) override;

private:
    std::uint64_t count_;
};

class TimerFd final : public Description {
public:
    TimerFd(Tasks& tasks, std::function<Nanos()> clock) : tasks_(tasks), clock_(std::move(clock)) {}
    [[nodiscard]] short events() const override { return static_cast<short>(expired() > 0 ? POLLIN : 0); }
    ssize_t read(std::span<const iovec> pieces) override;
    /// `first` on the timer's clock; zero disarms.
    void set(const std::shared_ptr<TimerFd>& self, Nanos first, Nanos interval);
    [[nodiscard]] Nanos clock() const { return clock_(); }

private:
    [[nodiscard]] std::uint64_t expired() const;

    Tasks& tasks_;
    std::function<Nanos()> clock_;
    Nanos next_{0};
    Nanos interval_{0};
};

class Epoll final : public Description {
public:
    struct Ready {
        std::uint32_t events = 0;
        std::uint64_t data = 0;
    };

    [[nodiscard]] short events() const override;
    /// As epoll_ctl(2). Returns: 0, or -1 and errno.
    int add(int fd, const std::shared_ptr<Description>& target, std::uint32_t events, std::uint64_t data);
    int change(int fd, const std::shared_ptr<Description>& target, std::uint32_t events, std::uint64_t data);
    int remove(int fd, const std::shared_ptr<Description>& target);
    /// The first that are ready; they are checked in turn.
    std::size_t take(std::span<Ready> out);
    [[nodiscard]] bool any_ready() const;

private:
    struct Interest {
        std::weak_ptr<Description> target;
        std::uint32_t events = 0;
        std::uint64_t data = 0;
        std::uint64_t seen = 0;  ///< reported changes of the target
        bool spent = false;      ///< EPOLLONESHOT
    };

    [[nodiscard]] static std::uint32_t ready(const Interest& interest);

    std::map<std::pair<int, Description*>, Interest> interests_;
    std::pair<int, Description*> last_{};
};

/// /dev/null.
class NullDevice final : public Description {
public:
    [[nodiscard]] short events() const override { return POLLIN | POLLOUT; }
    ssize_t read(std::span<const iovec> /*pieces*/) override { return 0; }
    ssize_t write(std::span<const iovec> pieces) override;
};

/// One direction of a pipe, or of a pair of sockets.
class ByteQueue {
public:
    static constexpr std::size_t kCapacity = 65'536;

    std::string bytes;
    bool closed = false;  ///< by the writer
};

class PipeEnd final : public Description {
public:
    PipeEnd(std::shared_ptr<ByteQueue> in, std::shared_ptr<ByteQueue> out) : in_(std::move(in)), out_(std::move(out)) {}
    ~PipeEnd() override;
    [[nodiscard]] short events() const override;
    ssize_t read(std::span<const iovec> pieces) override;
    ssize_t write(std::span<const iovec> pieces) override;
    std::weak_ptr<PipeEnd> other;

private:
    std::shared_ptr<ByteQueue> in_;
    std::shared_ptr<ByteQueue> out_;
};

/// Copies as much as fits. Returns: how many bytes.
std::size_t scatter(std::span<const iovec> pieces, std::string_view bytes);
[[nodiscard]] std::string gather(std::span<const iovec> pieces);

}  // namespace groma::world
