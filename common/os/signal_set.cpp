#include "common/os/signal_set.hpp"

#include <pthread.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"

namespace groma {

SignalSet::SignalSet(std::initializer_list<int> signals) {
    sigset_t set{};
    ::sigemptyset(&set);
    for (const int signal : signals) {
        checked("handle a signal", ::sigaddset(&set, signal));
    }
    fd_ = FileDescriptor(checked("create a signalfd", ::signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC)));
    const int error = ::pthread_sigmask(SIG_BLOCK, &set, &before_);  // returns its errno instead of setting it
    if (error != 0) {
        throw SystemError("block signals", error);
    }
}

SignalSet::~SignalSet() {
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<int> SignalSet::take() noexcept {
    signalfd_siginfo info{};
    if (::read(fd_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) {
        return std::nullopt;
    }
    return static_cast<int>(info.ssi_signo);
}

}  // namespace groma
