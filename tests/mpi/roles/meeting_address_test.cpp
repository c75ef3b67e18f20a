#include "mpi/roles/meeting_address.hpp"

#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

RankIdentity host(const std::string& name, std::vector<HostAddress> addresses) {
    addresses.insert(addresses.begin(), {{"127.0.0.1", 8}, {"::1", 128}});
    return {name, "boot", "net-" + name, std::move(addresses)};
}

const RankIdentity kServer = host("s", {{"fd99::2", 64}, {"192.168.5.2", 24}, {"10.99.0.2", 16}});
const RankIdentity kClient = host("c", {{"10.99.7.1", 16}, {"fd99::1", 64}});

TEST(MeetingAddress, IsTheOneOfTheFileIfTheServerHasIt) {
    EXPECT_EQ(meeting_address(kServer, std::vector{kClient}, "192.168.5.2"), "192.168.5.2");
    EXPECT_EQ(meeting_address(kServer, std::vector{kClient}, "[fd99::2]"), "fd99::2");
}

TEST(MeetingAddress, IsInANetworkThatTheClientIsIn) {
    EXPECT_EQ(meeting_address(kServer, std::vector{kClient}, "10.1.1.1"), "10.99.0.2");
    EXPECT_EQ(meeting_address(kServer, std::vector{host("d", {{"fd99::7", 64}})}, "beta"), "fd99::2");
}

TEST(MeetingAddress, SuitsMostClients) {
    const std::vector clients = {kClient, host("d", {{"192.168.5.7", 24}}), host("e", {{"192.168.5.8", 24}})};
    EXPECT_EQ(meeting_address(kServer, clients, ""), "192.168.5.2");
}

TEST(MeetingAddress, IsLoopbackAmongRanksOfOneHostOnly) {
    EXPECT_EQ(meeting_address(kServer, std::vector{kServer}, ""), "127.0.0.1");
    EXPECT_EQ(meeting_address(kServer, std::vector{kServer}, "127.0.0.1"), "127.0.0.1");
    EXPECT_EQ(meeting_address(kServer, std::vector{kServer, kClient}, "127.0.0.1"), "10.99.0.2");
}

TEST(MeetingAddress, OfAHostWithoutANetworkIsNone) {
    EXPECT_THROW((void)meeting_address(host("lonely", {}), std::vector{kClient}, ""), RunError);
}

}  // namespace
}  // namespace groma
