#include "common/os/poller.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"
#include "common/os/wakeup.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

/// Two connected sockets.
struct Pair {
    Pair() {
        std::array<int, 2> fds{};
        checked("make a socket pair", ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds.data()));
        near = FileDescriptor(fds[0]);
        far = FileDescriptor(fds[1]);
    }
    FileDescriptor near;
    FileDescriptor far;
};

TEST(Poller, TellsWhichDescriptorIsReadable) {
    Poller poller;
    Wakeup quiet;
    Wakeup loud;
    poller.add(quiet.fd(), 1);
    poller.add(loud.fd(), 0xFFFF'FFFF'FFFF'FFFF);
    loud.notify();
    const auto ready = poller.wait(std::nullopt);
    ASSERT_EQ(ready.size(), 1U);
    EXPECT_EQ(ready[0].token, 0xFFFF'FFFF'FFFF'FFFF);
    EXPECT_TRUE(ready[0].readable);
    EXPECT_FALSE(ready[0].writable);
}

TEST(Poller, ReturnsNothingWhenTheTimeIsUp) {
    Poller poller;
    EXPECT_TRUE(poller.wait(Nanos{1}).empty());
    EXPECT_TRUE(poller.wait(Nanos{-1}).empty());
}

TEST(Poller, WaitsForRoomToWriteOnlyWhenAsked) {
    Poller poller;
    const Pair pair;
    poller.add(pair.near.get(), 7, Interest::read);
    EXPECT_TRUE(poller.wait(Nanos{0}).empty());
    poller.change(pair.near.get(), 8, Interest::read_and_write);
    const auto ready = poller.wait(1s);
    ASSERT_EQ(ready.size(), 1U);
    EXPECT_EQ(ready[0].token, 8U);
    EXPECT_TRUE(ready[0].writable);
    EXPECT_FALSE(ready[0].readable);
}

TEST(Poller, TheEndOfAStreamIsSomethingToRead) {
    Poller poller;
    Pair pair;
    poller.add(pair.near.get(), 7);
    pair.far.reset();
    const auto ready = poller.wait(1s);
    ASSERT_EQ(ready.size(), 1U);
    EXPECT_TRUE(ready[0].readable);
}

TEST(Poller, OneThatWasRemovedIsHeardNoMore) {
    Poller poller;
    Wakeup wakeup;
    poller.add(wakeup.fd(), 1);
    wakeup.notify();
    poller.remove(wakeup.fd());
    poller.remove(wakeup.fd());
    EXPECT_TRUE(poller.wait(Nanos{0}).empty());
}

TEST(Poller, AddingTwiceIsAnError) {
    Poller poller;
    const Wakeup wakeup;
    poller.add(wakeup.fd(), 1);
    EXPECT_THROW(poller.add(wakeup.fd(), 1), SystemError);
}

}  // namespace
}  // namespace groma
