#include "common/net/socket/socket_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "tests/common/net/loopback.hpp"

namespace groma {
namespace {

using namespace loopback;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

int option_of(const FileDescriptor& socket, int level, int option) {
    int value = -1;
    socklen_t size = sizeof value;
    EXPECT_EQ(::getsockopt(socket.get(), level, option, &value, &size), 0);
    return value;
}

std::vector<std::string> apply(const FileDescriptor& socket, Transport transport, int family,
                               const TransportOptions& options) {
    return apply_options(socket, {transport, family, SocketSide::sending}, options);
}

TEST(SocketOptions, ReachTheKernelOverIpv4) {
    const FileDescriptor socket = open_flow_socket(Transport::udp, at(kIpv4));
    TransportOptions options;
    options.ttl = 7;
    options.ds_byte = 0xb8;
    options.dont_fragment = true;
    options.priority = 5;
    EXPECT_THAT(apply(socket, Transport::udp, AF_INET, options), IsEmpty());
    EXPECT_EQ(option_of(socket, IPPROTO_IP, IP_TTL), 7);
    EXPECT_EQ(option_of(socket, IPPROTO_IP, IP_TOS), 0xb8);
    EXPECT_EQ(option_of(socket, IPPROTO_IP, IP_MTU_DISCOVER), IP_PMTUDISC_DO);
    EXPECT_EQ(option_of(socket, SOL_SOCKET, SO_PRIORITY), 5);
}

TEST(SocketOptions, ReachTheKernelOverIpv6) {
    const FileDescriptor socket = open_flow_socket(Transport::udp, at(kIpv6));
    TransportOptions options;
    options.ttl = 9;
    options.ds_byte = 0x20;
    options.dont_fragment = false;
    EXPECT_THAT(apply(socket, Transport::udp, AF_INET6, options), IsEmpty());
    EXPECT_EQ(option_of(socket, IPPROTO_IPV6, IPV6_UNICAST_HOPS), 9);
    EXPECT_EQ(option_of(socket, IPPROTO_IPV6, IPV6_TCLASS), 0x20);
    EXPECT_EQ(option_of(socket, IPPROTO_IPV6, IPV6_MTU_DISCOVER), IPV6_PMTUDISC_DONT);
}

TEST(SocketOptions, OfTcpReachTheKernel) {
    const FileDescriptor socket = open_flow_socket(Transport::tcp, at(kIpv4));
    TransportOptions options;
    options.nagle = true;
    options.congestion = "reno";
    options.mss = 500;
    EXPECT_THAT(apply(socket, Transport::tcp, AF_INET, options), IsEmpty());
    EXPECT_EQ(option_of(socket, IPPROTO_TCP, TCP_NODELAY), 0);
    std::array<char, 16> name{};
    socklen_t size = name.size();
    ASSERT_EQ(::getsockopt(socket.get(), IPPROTO_TCP, TCP_CONGESTION, name.data(), &size), 0);
    EXPECT_STREQ(name.data(), "reno");
}

TEST(SocketOptions, ACongestionControlThatIsNotThereEndsTheRun) {
    const FileDescriptor socket = open_flow_socket(Transport::tcp, at(kIpv4));
    TransportOptions options;
    options.congestion = "no-such";
    EXPECT_THROW((void)apply(socket, Transport::tcp, AF_INET, options), SystemError);
}

TEST(SocketOptions, AnInterfaceThatIsNotThereEndsTheRun) {
    const FileDescriptor socket = open_flow_socket(Transport::udp, at(kIpv4));
    TransportOptions options;
    options.device = "no-such-dev";
    EXPECT_THROW((void)apply(socket, Transport::udp, AF_INET, options), SystemError);
}

TEST(SocketOptions, AFlowLabelOverIpv4IsWarninged) {
    const FileDescriptor socket = open_flow_socket(Transport::udp, at(kIpv4));
    TransportOptions options;
    options.flow_label = 5;
    EXPECT_THAT(apply(socket, Transport::udp, AF_INET, options), ElementsAre(HasSubstr("IPv6 only")));
}

TEST(SocketOptions, BuffersAreWhatTheKernelGives) {
    const FileDescriptor socket = open_flow_socket(Transport::udp, at(kIpv4));
    TransportOptions options;
    options.send_buffer = Bytes{100'000};
    EXPECT_THAT(apply(socket, Transport::udp, AF_INET, options), IsEmpty());
    EXPECT_GE(buffer_size(socket.get(), SO_SNDBUF), 200'000U);
}

TEST(SocketOptions, TheSourceIsWhatWasAskedFor) {
    const FileDescriptor socket = open_flow_socket(Transport::udp, at(kIpv4));
    TransportOptions options;
    options.source = "127.0.0.2";
    bind_to_source(socket, options, at(kIpv4, 9));
    EXPECT_EQ(local_address_of(socket.get()).host_to_string(), "127.0.0.2");
}

TEST(SocketOptions, ASourceOfTheOtherFamilyIsRefused) {
    const FileDescriptor socket = open_flow_socket(Transport::udp, at(kIpv4));
    TransportOptions options;
    options.source = "::1";
    EXPECT_THROW(bind_to_source(socket, options, at(kIpv4, 9)), UsageError);
}

}  // namespace
}  // namespace groma
