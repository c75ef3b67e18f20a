#include "common/net/device/device_queues.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <net/if.h>

namespace groma {
namespace {

const SocketAddress kHere = SocketAddress::from_literal("127.0.0.1", 9000);
const SocketAddress kHere6 = SocketAddress::from_literal("::1", 9000);

TEST(DeviceQueues, ThisHostIsReachedThroughLoopback) {
    DeviceQueues queues;
    EXPECT_EQ(queues.device_of({kHere, kHere}), static_cast<int>(::if_nametoindex("lo")));
    EXPECT_EQ(queues.device_of({kHere6, kHere6}), static_cast<int>(::if_nametoindex("lo")));
}

TEST(DeviceQueues, EachDeviceIsAskedForOnce) {
    DeviceQueues queues;
    const int device = queues.device_of({kHere, kHere});
    const auto* const first = &queues.of(device);
    EXPECT_EQ(&queues.of(device), first);
    EXPECT_THAT(*first, testing::Each(testing::Field(&QueueingDiscipline::device, device)));
}

TEST(DeviceQueues, OfLoopbackAndOfNobodyNoneIsKnownToTakeMessagesApart) {
    DeviceQueues queues;
    EXPECT_EQ(queues.that_takes_apart({kHere, kHere}), "");
    EXPECT_EQ(queues.that_takes_apart({SocketAddress(), SocketAddress()}), "");
}

TEST(Way, ThroughADeviceIsThatDevice) {
    EXPECT_EQ(device_towards({.from = kHere, .to = kHere, .device = "lo"}), static_cast<int>(::if_nametoindex("lo")));
}

}  // namespace
}  // namespace groma
