#include "common/control/control_listeners.hpp"

#include <gmock/gmock.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

SocketAddress address(const char* literal, std::uint16_t port = 0) {
    return SocketAddress::from_literal(literal, port);
}

TEST(ControlListeners, ShareThePortThatTheKernelChoseForTheFirst) {
    boost::asio::io_context io;
    const ControlListeners listeners = listen_all(io, {address("127.0.0.1"), address("127.0.0.2")});
    ASSERT_EQ(listeners.addresses.size(), 2U);
    EXPECT_NE(listeners.addresses[0].port(), 0);
    EXPECT_EQ(listeners.addresses[0].port(), listeners.addresses[1].port());
}

TEST(ControlListeners, DoWithoutAnIpv6AddressThatTheHostLacks) {
    boost::asio::io_context io;
    const ControlListeners listeners = listen_all(io, {address("127.0.0.1"), address("2001:db8::1")});
    EXPECT_EQ(listeners.addresses.size(), 1U);
}

TEST(ControlListeners, DoNotDoWithoutTheFirstAddress) {
    boost::asio::io_context io;
    try {
        (void)listen_all(io, {address("192.0.2.1", 9000)});
        ADD_FAILURE() << "192.0.2.1 is an address for documentation; no host has it";
    } catch (const SystemError& error) {
        EXPECT_THAT(error.what(), HasSubstr("cannot listen on 192.0.2.1:9000"));
    }
}

TEST(ControlListeners, SayThatAPortIsTakenAndWhatToDo) {
    boost::asio::io_context io;
    const ControlListeners first = listen_all(io, {address("127.0.0.1")});
    const std::uint16_t port = first.addresses[0].port();
    try {
        (void)listen_all(io, {address("127.0.0.1", port)});
        ADD_FAILURE() << "two listeners on one port";
    } catch (const SystemError& error) {
        EXPECT_THAT(error.what(), HasSubstr("127.0.0.1:" + std::to_string(port)));
        EXPECT_THAT(error.what(), HasSubstr("--port N"));
    }
}

TEST(ControlListeners, SayWhoMayListenOnALowPort) {
    std::thread([] {  // without root's rights, which belong to a thread
        __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
        std::array<__user_cap_data_struct, 2> none{};
        ASSERT_EQ(::syscall(SYS_capset, &header, none.data()), 0);
        boost::asio::io_context io;
        try {
            (void)listen_all(io, {address("127.0.0.1", 1)});
            GTEST_LOG_(INFO) << "this host lets everybody listen there (net.ipv4.ip_unprivileged_port_start)";
        } catch (const SystemError& error) {
            EXPECT_THAT(error.what(), HasSubstr("take root or CAP_NET_BIND_SERVICE: choose one above 1023"));
        }
    })
        .join();
}

}  // namespace
}  // namespace groma
