#include "sender/engine/writable_watch.hpp"

#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <limits>

#include "common/os/file_descriptor.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

FileDescriptor full_eventfd() {
    FileDescriptor fd(::eventfd(0, EFD_NONBLOCK));
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max() - 1;
    EXPECT_EQ(::write(fd.get(), &most, sizeof most), static_cast<ssize_t>(sizeof most));
    return fd;
}

TEST(PollWatch, TellsTheSocketThatCanBeWrittenFromTheOneThatCannot) {
    const FileDescriptor full = full_eventfd();
    const FileDescriptor empty(::eventfd(0, EFD_NONBLOCK));
    std::array<pollfd, 2> sockets{pollfd{full.get(), POLLOUT, 0}, pollfd{empty.get(), POLLOUT, 0}};
    PollWatch().wait(sockets, 10s);
    EXPECT_EQ(sockets[0].revents, 0);
    EXPECT_NE(sockets[1].revents & POLLOUT, 0);
}

TEST(PollWatch, ALookWithoutWaitingComesBackEvenIfNothingCanBeWritten) {
    const FileDescriptor full = full_eventfd();
    std::array<pollfd, 1> sockets{pollfd{full.get(), POLLOUT, POLLOUT}};
    PollWatch().wait(sockets, 0s);
    EXPECT_EQ(sockets[0].revents, 0);
}

}  // namespace
}  // namespace groma
