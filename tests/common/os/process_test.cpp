#include "common/os/process.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/resource.h>

#include <array>
#include <string>
#include <thread>

namespace groma {
namespace {

std::string name_of_a_thread_named(const std::string& name) {
    std::array<char, 64> kept{};
    std::thread thread([&] {
        set_thread_name(name);
        ::pthread_getname_np(::pthread_self(), kept.data(), kept.size());
    });
    thread.join();
    return kept.data();
}

TEST(Process, ThreadsGetTheNameTheyAreGiven) {
    EXPECT_EQ(name_of_a_thread_named("send-1"), "send-1");
}

TEST(Process, ALongThreadNameIsCutAndNotRefused) {
    EXPECT_EQ(name_of_a_thread_named("receive-worker-1"), "receive-worker-");
}

TEST(Process, TheFileLimitIsRaisedToWhatMayBeAskedFor) {
    rlimit limit{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
    EXPECT_EQ(raise_fd_limit(), limit.rlim_max);
    rlimit raised{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &raised), 0);
    EXPECT_EQ(raised.rlim_cur, limit.rlim_max);
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace
}  // namespace groma
