#include "common/net/socket/port_search.hpp"

#include <gmock/gmock.h>

#include <vector>

#include "common/net/socket/socket.hpp"
#include "tests/common/net/loopback.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;
using namespace loopback;

/// As many neighbouring UDP ports as asked for, free a moment ago.
PortRange free_ports(std::uint16_t count) {
    while (true) {
        std::vector<FileDescriptor> held;
        held.push_back(open_socket(at(kIpv4), SOCK_DGRAM));
        bind_socket(held.back(), at(kIpv4), at(kIpv4));
        const std::uint16_t first = local_address_of(held.back().get()).port();
        try {
            for (std::uint16_t i = 1; i < count; ++i) {
                held.push_back(open_socket(at(kIpv4), SOCK_DGRAM));
                bind_socket(held.back(), at(kIpv4, static_cast<std::uint16_t>(first + i)), at(kIpv4));
            }
            return {first, static_cast<std::uint16_t>(first + count - 1)};
        } catch (const SystemError&) {
            continue;  // a neighbour was taken: begin elsewhere
        }
    }
}

FileDescriptor bound_in(const PortRange& range, std::uint16_t port = 0) {
    FileDescriptor socket = open_socket(at(kIpv4), SOCK_DGRAM);
    bind_in_range(socket, at(kIpv4, port), at(kIpv4), range);
    return socket;
}

std::uint16_t port_of(const FileDescriptor& socket) {
    return local_address_of(socket.get()).port();
}

TEST(PortSearch, TakesTheFirstFreePortOfARange) {
    const PortRange range = free_ports(3);
    const FileDescriptor first = bound_in(range);
    const FileDescriptor second = bound_in(range);
    EXPECT_EQ(port_of(first), range.first);
    EXPECT_EQ(port_of(second), range.first + 1);
}

TEST(PortSearch, LetsAPortThatWasAskedForWinOverTheRange) {
    const PortRange range = free_ports(3);
    EXPECT_EQ(port_of(bound_in({1, 2}, range.last)), range.last);
}

TEST(PortSearch, SaysTheRangeWhenAllOfItIsTaken) {
    const PortRange range = free_ports(2);
    const FileDescriptor first = bound_in(range);
    const FileDescriptor second = bound_in(range);
    try {
        (void)bound_in(range);
        FAIL() << "there was a third of two ports";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), EADDRINUSE);
        EXPECT_THAT(error.what(), HasSubstr(std::to_string(range.first) + '-' + std::to_string(range.last)));
    }
}

TEST(PortSearch, GivesEveryFlowOfARangeAPortOfItsOwnUntilItIsUsedUp) {
    const PortRange range = free_ports(4);
    PortSearch search;
    std::vector<PortRange> tried;
    const auto open = [&tried](PortRange rest) {
        tried.push_back(rest);
        return bound_in(rest);
    };
    std::vector<FileDescriptor> sockets;
    for (std::uint16_t i = 0; i < 4; ++i) {
        sockets.push_back(search.open_in(Transport::udp, range, open, port_of));
        EXPECT_EQ(port_of(sockets.back()), range.first + i);
        EXPECT_EQ(tried.back().first, range.first + i) << "what others hold is not tried again";
    }
    EXPECT_THROW((void)search.open_in(Transport::udp, range, open, port_of), SystemError);
}

TEST(PortSearch, FindsPortsThatWereGivenBack) {
    const PortRange range = free_ports(3);
    PortSearch search;
    std::vector<FileDescriptor> sockets;
    for (int i = 0; i < 2; ++i) {
        sockets.push_back(search.open_in(
            Transport::udp, range, [](PortRange rest) { return bound_in(rest); }, port_of));
    }
    const FileDescriptor last = bound_in(range);
    sockets.erase(sockets.begin());
    const FileDescriptor again = search.open_in(
        Transport::udp, range, [](PortRange rest) { return bound_in(rest); }, port_of);
    EXPECT_EQ(port_of(again), range.first);
}

}  // namespace
}  // namespace groma
