#include "common/shipping/datagram/udp_batch.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace groma {
namespace {

FileDescriptor udp_socket() {
    return FileDescriptor(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
}

TEST(UdpBatch, SaysThatNobodyListensThoughMoreGoesTogether) {
    sockaddr_in nobody{.sin_family = AF_INET, .sin_port = 0, .sin_addr = {htonl(INADDR_LOOPBACK)}, .sin_zero = {}};
    socklen_t size = sizeof nobody;
    auto* const address = reinterpret_cast<sockaddr*>(&nobody);
    // It has the port, and receives only from itself.
    const FileDescriptor deaf = udp_socket();
    ASSERT_EQ(::bind(deaf.get(), address, size), 0);
    ASSERT_EQ(::getsockname(deaf.get(), address, &size), 0);
    ASSERT_EQ(::connect(deaf.get(), address, size), 0);
    const FileDescriptor socket = udp_socket();
    ASSERT_EQ(::connect(socket.get(), address, size), 0);
    UdpBatch batch;
    for (int i = 0; i < 2; ++i) {
        batch.slot()[0] = std::byte{1};
        batch.add(1, nullptr);
    }
    EXPECT_EQ(batch.send(socket), ECONNREFUSED);
    EXPECT_EQ(batch.waiting(), 1U);
}

}  // namespace
}  // namespace groma
