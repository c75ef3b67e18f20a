#include "sender/engine/blocked_flows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

namespace groma {
namespace {

using testing::ElementsAre;
using testing::Pair;
using testing::UnorderedElementsAre;

/// Flow and descriptor of each that is left; they must belong together.
std::vector<std::pair<std::uint32_t, int>> all_of(BlockedFlows& blocked) {
    std::vector<std::pair<std::uint32_t, int>> all;
    blocked.remove_if([&](std::uint32_t flow, const pollfd& socket) {
        all.emplace_back(flow, socket.fd);
        return false;
    });
    return all;
}

TEST(BlockedFlows, AreWaitedForUntilTheirSocketsCanBeWrittenTo) {
    BlockedFlows blocked(2);
    EXPECT_TRUE(blocked.empty());
    EXPECT_TRUE(blocked.sockets().empty());
    blocked.push(7, 40);
    ASSERT_EQ(blocked.sockets().size(), 1U);
    EXPECT_EQ(blocked.sockets()[0].fd, 40);
    EXPECT_EQ(blocked.sockets()[0].events, POLLOUT);
    EXPECT_EQ(blocked.sockets()[0].revents, 0);
    EXPECT_FALSE(blocked.empty());
}

TEST(BlockedFlows, EachIsRemovedWithItsOwnSocket) {
    BlockedFlows blocked(4);
    for (const std::uint32_t flow : {1U, 2U, 3U, 4U}) {
        blocked.push(flow, static_cast<int>(10 * flow));
    }
    blocked.sockets()[0].revents = POLLERR;
    blocked.sockets()[2].revents = POLLOUT;
    std::vector<std::uint32_t> ready;
    EXPECT_TRUE(blocked.remove_if([&](std::uint32_t flow, const pollfd& socket) {
        if (socket.revents != 0) {
            ready.push_back(flow);
        }
        return socket.revents != 0;
    }));
    EXPECT_THAT(ready, ElementsAre(3U, 1U));
    EXPECT_THAT(all_of(blocked), UnorderedElementsAre(Pair(2U, 20), Pair(4U, 40)));
    EXPECT_EQ(blocked.sockets().size(), 2U);
}

TEST(BlockedFlows, RemovingNoneChangesNothingAndRemovingAllLeavesNone) {
    BlockedFlows blocked(3);
    for (const std::uint32_t flow : {1U, 2U, 3U}) {
        blocked.push(flow, static_cast<int>(10 * flow));
    }
    EXPECT_FALSE(blocked.remove_if([](std::uint32_t, const pollfd&) { return false; }));
    EXPECT_EQ(all_of(blocked).size(), 3U);
    EXPECT_TRUE(blocked.remove_if([](std::uint32_t, const pollfd&) { return true; }));
    EXPECT_TRUE(blocked.empty());
    EXPECT_TRUE(blocked.sockets().empty());
}

}  // namespace
}  // namespace groma
