#include "common/os/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <utility>

#include "common/os/checked.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

namespace {

constexpr std::size_t kMaxOutput = 64U << 10U;

/// Settings of posix_spawn() for the child: standard streams on `stream`, no other descriptor (those that Asio opens
/// stay open otherwise), and the default action for SIGPIPE.
class SpawnPlan {
public:
    explicit SpawnPlan(int stream, bool in_own_group = false) {
        ::posix_spawn_file_actions_init(&actions_);
        ::posix_spawnattr_init(&attributes_);
        for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
            ::posix_spawn_file_actions_adddup2(&actions_, stream, standard);
        }
        ::posix_spawn_file_actions_addclosefrom_np(&actions_, STDERR_FILENO + 1);
        sigset_t defaults;
        ::sigemptyset(&defaults);
        ::sigaddset(&defaults, SIGPIPE);
        ::posix_spawnattr_setsigdefault(&attributes_, &defaults);
        ::posix_spawnattr_setflags(
            &attributes_, static_cast<short>(POSIX_SPAWN_SETSIGDEF | (in_own_group ? POSIX_SPAWN_SETPGROUP : 0)));
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
    ~SpawnPlan() {
        ::posix_spawn_file_actions_destroy(&actions_);
        ::posix_spawnattr_destroy(&attributes_);
    }

    [[nodiscard]] pid_t start(const std::vector<std::string>& command) const {
        std::vector<char*> arguments;
        arguments.reserve(command.size() + 1);
        for (const std::string& argument : command) {
            arguments.push_back(const_cast<char*>(argument.c_str()));
        }
        arguments.push_back(nullptr);
        pid_t pid = 0;
        const int error = ::posix_spawnp(&pid, arguments.front(), &actions_, &attributes_, arguments.data(), environ);
        if (error != 0) {
            throw SystemError("start " + command.front(), error);
        }
        return pid;
    }

private:
    posix_spawn_file_actions_t actions_{};
    posix_spawnattr_t attributes_{};
};

/// A socket pair, not pipes: writing to a child that has ended is then an error, not a signal.
std::pair<FileDescriptor, FileDescriptor> stream_pair() {
    std::array<int, 2> pair{};
    checked("make a socket pair", ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()));
    return {FileDescriptor(pair[0]), FileDescriptor(pair[1])};
}

/// Reads the available output. Returns: false at the end.
bool take_output(int fd, std::string& output) {
    std::array<char, 4096> buffer{};
    const ssize_t got = ::recv(fd, buffer.data(), buffer.size(), 0);
    if (got <= 0) {
        return got < 0 and errno == EINTR;
    }
    output.append(buffer.data(), std::min(static_cast<std::size_t>(got), kMaxOutput - output.size()));
    return true;
}

/// Writes some of `input`; drops what the child no longer reads.
void give_input(int fd, std::string_view& input) {
    const ssize_t sent = ::send(fd, input.data(), input.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
        input.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno != EAGAIN and errno != EINTR) {
        input = {};
    }
    if (input.empty()) {
        ::shutdown(fd, SHUT_WR);
    }
}

std::string converse(int fd, std::string_view input) {
    std::string output;
    if (input.empty()) {
        ::shutdown(fd, SHUT_WR);
    }
    for (;;) {
        pollfd entry{.fd = fd, .events = static_cast<short>(input.empty() ? POLLIN : POLLIN | POLLOUT), .revents = 0};
        ::poll(&entry, 1, -1);
        if ((entry.revents & (POLLIN | POLLHUP | POLLERR)) != 0 and not take_output(fd, output)) {
            return output;
        }
        if ((entry.revents & POLLOUT) != 0 and not input.empty()) {
            give_input(fd, input);
        }
    }
}

}  // namespace

RunningChild::RunningChild(const std::vector<std::string>& command, std::chrono::milliseconds farewell)
    : farewell_(farewell) {
    auto [ours, theirs] = stream_pair();
    pid_ = SpawnPlan(theirs.get(), true).start(command);
    stream_ = std::move(ours);
}

RunningChild::~RunningChild() {
    ::shutdown(stream_.get(), SHUT_WR);
    for (const int signal : {SIGTERM, SIGKILL}) {
        if (ends_within(farewell_)) {
            break;
        }
        ::kill(-pid_, signal);
    }
    while (::waitpid(pid_, nullptr, 0) < 0 and errno == EINTR) {
    }
}

bool RunningChild::ends_within(std::chrono::milliseconds patience) {
    constexpr std::chrono::milliseconds kStep{50};
    for (auto waited = std::chrono::milliseconds(0); waited < patience; waited += kStep) {
        siginfo_t ended{};
        if (::waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 and ended.si_pid != 0) {
            return true;
        }
        const std::optional<std::string> said = read(kStep);  // which must not keep it from ending
        if (not said) {
            ::poll(nullptr, 0, static_cast<int>(kStep.count()));
        }
    }
    return false;
}

void RunningChild::write(std::string_view text) {
    while (not text.empty()) {
        const ssize_t sent = ::send(stream_.get(), text.data(), text.size(), MSG_NOSIGNAL);
        if (sent < 0 and errno != EINTR) {
            return;
        }
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(sent, 0)));
    }
}

std::optional<std::string> RunningChild::read(std::chrono::milliseconds patience) {
    pollfd entry{.fd = stream_.get(), .events = POLLIN, .revents = 0};
    if (::poll(&entry, 1, static_cast<int>(patience.count())) <= 0) {
        return std::string();
    }
    std::string said;
    return take_output(stream_.get(), said) ? std::optional(said) : std::nullopt;
}

ChildResult run_child(const std::vector<std::string>& command, std::string_view input) {
    auto [ours, theirs] = stream_pair();
    const pid_t pid = SpawnPlan(theirs.get()).start(command);
    theirs.reset();
    ChildResult result;
    result.output = converse(ours.get(), input);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) {
            throw SystemError("wait for " + command.front(), errno);
        }
    }
    result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

}  // namespace groma
