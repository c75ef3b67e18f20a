#include "common/net/socket/peer_user.hpp"

#include <gtest/gtest.h>
#include <sys/fsuid.h>
#include <sys/socket.h>
#include <unistd.h>

#include "common/net/socket/socket.hpp"

namespace groma {
namespace {

/// A socket that listens on loopback, and one that is connected to it.
struct LoopbackPair {
    LoopbackPair(const char* host, int type) : server(open_socket(SocketAddress::from_literal(host, 0), type)) {
        const SocketAddress any_port = SocketAddress::from_literal(host, 0);
        bind_socket(server, any_port, any_port);
        if (type == SOCK_STREAM) {
            EXPECT_EQ(::listen(server.get(), 1), 0);
        }
        local = local_address_of(server.get());
        client = FileDescriptor(::socket(local.family(), type | SOCK_CLOEXEC, 0));
        EXPECT_EQ(::connect(client.get(), local.data(), local.size()), 0);
        peer = local_address_of(client.get());
    }

    FileDescriptor server;
    FileDescriptor client;
    SocketAddress local;
    SocketAddress peer;
};

TEST(PeerUser, IsWhoMadeTheConnectedSocket) {
    for (const char* host : {"127.0.0.1", "::1"}) {
        const LoopbackPair tcp(host, SOCK_STREAM);
        EXPECT_EQ(user_at_other_end(tcp.local, tcp.peer), ::geteuid()) << host;
        const LoopbackPair udp(host, SOCK_DGRAM);
        EXPECT_EQ(user_at_other_end(udp.local, udp.peer, IPPROTO_UDP), ::geteuid()) << host;
        EXPECT_FALSE(user_at_other_end(udp.local, udp.peer)) << "no connection of TCP";
    }
}

TEST(PeerUser, IsAnotherUserWhereAnotherMadeIt) {
    constexpr uid_t kAnother = 4242;
    for (const char* host : {"127.0.0.1", "::1"}) {
        const auto before = static_cast<uid_t>(::setfsuid(kAnother));  // does nothing unless this is root
        const auto maker = static_cast<uid_t>(::setfsuid(static_cast<uid_t>(-1)));
        const LoopbackPair udp(host, SOCK_DGRAM);
        ::setfsuid(before);
        EXPECT_EQ(user_at_other_end(udp.local, udp.peer, IPPROTO_UDP), maker) << host;
    }
}

TEST(PeerUser, IsUnknownOfADatagramSocketThatIsNotConnectedToUs) {
    for (const char* host : {"127.0.0.1", "::1"}) {
        LoopbackPair udp(host, SOCK_DGRAM);
        EXPECT_FALSE(user_at_other_end(udp.peer, udp.local, IPPROTO_UDP)) << "the server's own socket";
        EXPECT_FALSE(user_at_other_end(udp.local.with_port(1), udp.peer, IPPROTO_UDP)) << "connected to another";
        udp.client.reset();
        EXPECT_FALSE(user_at_other_end(udp.local, udp.peer, IPPROTO_UDP)) << "closed";
    }
}

}  // namespace
}  // namespace groma
