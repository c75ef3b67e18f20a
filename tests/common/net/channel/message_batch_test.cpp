#include "common/net/channel/message_batch.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>

#include "common/os/file_descriptor.hpp"

namespace groma {
namespace {

// Sockets of AF_UNIX treat the call as a read, like those of DCCP.
TEST(MessageBatch, ASocketWithoutErrorReportsWhosePeerIsGoneIsLeftAlone) {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()), 0);
    const FileDescriptor left(ends[0]);
    FileDescriptor right(ends[1]);
    right.reset();
    clear_error_reports(left.get());  // returns
    EXPECT_EQ(status_of_send(EPIPE), SendStatus::closed);
}

TEST(MessageBatch, AFirewallOfThisHostDropsAPacketAndDoesNotEndTheFlow) {
    EXPECT_EQ(status_of_send(EPERM), SendStatus::dropped);
    EXPECT_EQ(status_of_send(EACCES), SendStatus::dropped);
}

}  // namespace
}  // namespace groma
