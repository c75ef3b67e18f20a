#include "common/os/wakeup.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <thread>

namespace groma {
namespace {

bool readable(const Wakeup& wakeup) {
    pollfd entry{.fd = wakeup.fd(), .events = POLLIN, .revents = 0};
    return ::poll(&entry, 1, 0) == 1;
}

TEST(Wakeup, IsReadableFromNotifyToClear) {
    Wakeup wakeup;
    EXPECT_FALSE(readable(wakeup));
    wakeup.notify();
    wakeup.notify();
    EXPECT_TRUE(readable(wakeup));
    EXPECT_TRUE(wakeup.clear());
    EXPECT_FALSE(readable(wakeup));
    EXPECT_FALSE(wakeup.clear());
}

TEST(Wakeup, WakesAThreadThatWaits) {
    Wakeup wakeup;
    std::thread other([&wakeup] { wakeup.notify(); });
    pollfd entry{.fd = wakeup.fd(), .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&entry, 1, -1), 1);
    other.join();
}

}  // namespace
}  // namespace groma
