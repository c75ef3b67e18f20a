#include "tests/world/runner.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "common/os/scheduling.hpp"

namespace groma::world {

namespace {

constexpr unsigned kHang = 600;  ///< seconds for one history, which takes less than one

std::string as_text(const HistoryResult& result) {
    const nlohmann::json json{{"story", result.story}, {"broken", result.broken},
                              {"marks", result.marks}, {"troubles", result.troubles},
                              {"calls", result.calls}, {"seconds", result.virtual_seconds}};
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

HistoryResult from_text(const std::string& text) {
    const auto json = nlohmann::json::parse(text);
    return {.story = json["story"],
            .broken = json["broken"],
            .marks = json["marks"],
            .troubles = json["troubles"],
            .calls = json["calls"],
            .virtual_seconds = json["seconds"]};
}

/// In the child: executes this program again, so that its memory holds nothing of earlier histories. Returns on
/// failure.
void be_history(std::vector<std::string> arguments, int pipe) {
    fcntl(pipe, F_SETFD, 0);
    std::vector<char*> pointers;
    for (std::string& argument : arguments) {
        pointers.push_back(argument.data());
    }
    pointers.push_back(nullptr);
    execv("/proc/self/exe", pointers.data());
}

std::string read_all(int pipe) {
    std::string text;
    std::array<char, 65536> piece{};
    for (ssize_t count = 0; (count = read(pipe, piece.data(), piece.size())) > 0 or (count < 0 and errno == EINTR);) {
        text.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    }
    return text;
}

}  // namespace

std::vector<std::string> arguments_of(const HistoryOptions& options) {
    std::vector<std::string> arguments{"groma-world", "--seed", std::to_string(options.seed)};
    for (const std::size_t trouble : options.without) {
        arguments.insert(arguments.end(), {"--without", std::to_string(trouble)});
    }
    for (const Fault& fault : options.faults) {
        arguments.insert(arguments.end(), {"--fail", text_of(fault)});
    }
    return arguments;
}

void answer(const HistoryOptions& options, const std::filesystem::path& folder, int pipe) {
    alarm(kHang);
    // One task runs at a time: a switch between tasks is cheaper on one core than between cores.
    const auto core = static_cast<unsigned>(sched_getcpu());
    static_cast<void>(run_on_cores({&core, 1}));
    const std::string text = as_text(run_history(options, folder));
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t count = write(pipe, text.data() + at, text.size() - at);
        at += static_cast<std::size_t>(std::max<ssize_t>(count, 0));
    }
    _exit(0);
}

std::string Outcome::why() const {
    return end.empty() ? fmt::format("{}", fmt::join(result.broken, "; ")) : end;
}

HistoryProcess::HistoryProcess(const HistoryOptions& options) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "make a pipe for a history");
    }
    std::vector<std::string> arguments = arguments_of(options);
    arguments.insert(arguments.end(), {"--answer-to", std::to_string(ends[1]), folder_.path()});
    if (options.tells) {
        arguments.emplace_back("--tell");
    }
    child_ = fork();
    if (child_ < 0) {
        throw std::system_error(errno, std::generic_category(), "make a process for a history");
    }
    if (child_ == 0) {
        setpgid(0, 0);  // an interrupt at this program's terminal lets histories run to their end
        be_history(std::move(arguments), ends[1]);
        _exit(1);
    }
    close(ends[1]);
    pipe_ = ends[0];
}

Outcome HistoryProcess::result() {
    const std::string text = read_all(pipe_);
    close(pipe_);
    int status = 0;
    while (waitpid(child_, &status, 0) < 0 and errno == EINTR) {
    }
    if (WIFSIGNALED(status)) {
        const int signal = WTERMSIG(status);
        return {.result = {},
                .end = signal == SIGALRM ? fmt::format("it took more than {} s", kHang)
                                         : fmt::format("SIG{} ended it", sigabbrev_np(signal))};
    }
    if (text.empty()) {
        return {.result = {}, .end = fmt::format("it ended with status {} and without a word", WEXITSTATUS(status))};
    }
    return {.result = from_text(text), .end = {}};
}

Outcome run_apart(const HistoryOptions& options) {
    return HistoryProcess(options).result();
}

std::vector<std::size_t> shrink(HistoryOptions options, std::size_t troubles) {
    for (std::size_t i = 0; i < troubles; ++i) {
        options.without.push_back(i);
        if (not run_apart(options).failed()) {
            options.without.pop_back();
        }
    }
    return options.without;
}

}  // namespace groma::world
