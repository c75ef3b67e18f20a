#include "common/net/socket/path_mtu.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "common/net/socket/socket.hpp"

namespace groma {
namespace {

TEST(PathMtu, IsThatOfTheRouteOfAConnectedSocket) {
    for (const char* host : {"127.0.0.1", "::1"}) {
        const SocketAddress to = SocketAddress::from_literal(host, 9);
        const FileDescriptor socket = open_socket(to, SOCK_DGRAM);
        EXPECT_FALSE(path_mtu(socket.get(), to.is_ipv4())) << host;
        ASSERT_EQ(::connect(socket.get(), to.data(), to.size()), 0) << host;
        const auto path = path_mtu(socket.get(), to.is_ipv4());
        ASSERT_TRUE(path) << host;
        EXPECT_GE(path->mtu, 1280U);
        EXPECT_EQ(path->payload, path->mtu - (to.is_ipv4() ? 28 : 48));
    }
}

}  // namespace
}  // namespace groma
