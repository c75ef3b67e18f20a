#include "common/os/signal_set.hpp"

#include <gtest/gtest.h>
#include <pthread.h>

namespace groma {
namespace {

// Signals are sent to this thread, which blocks them; other threads of the process may not.
void send_to_this_thread(int signal) {
    ASSERT_EQ(::pthread_kill(::pthread_self(), signal), 0);
}

TEST(SignalSet, ASignalIsReadInsteadOfEndingTheProgram) {
    SignalSet signals = SignalSet::stop_signals();
    EXPECT_EQ(signals.take(), std::nullopt);
    send_to_this_thread(SIGTERM);
    EXPECT_EQ(signals.take(), SIGTERM);
    send_to_this_thread(SIGINT);
    EXPECT_EQ(signals.take(), SIGINT);
    EXPECT_EQ(signals.take(), std::nullopt);
}

TEST(SignalSet, TheMaskIsPutBackAtTheEnd) {
    const auto blocked = [] {
        sigset_t mask{};
        ::pthread_sigmask(SIG_BLOCK, nullptr, &mask);
        return ::sigismember(&mask, SIGUSR1) == 1;
    };
    ASSERT_FALSE(blocked());
    {
        const SignalSet signals{SIGUSR1};
        EXPECT_TRUE(blocked());
    }
    EXPECT_FALSE(blocked());
}

}  // namespace
}  // namespace groma
