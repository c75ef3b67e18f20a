#include "common/net/device/network_device.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/net/device/about_host.hpp"

namespace groma {
namespace {

TEST(NetworkDevice, OfLoopbackIsKnown) {
    const NetworkDevice device = device_of(SocketAddress::from_literal("127.0.0.1", 0));
    EXPECT_EQ(device.name, "lo");
    EXPECT_EQ(device.mtu, "65536");
    EXPECT_EQ(device.queueing, "noqueue");
    EXPECT_THAT(device.offloads, testing::Contains("tx-tcp-segmentation"));
}

TEST(NetworkDevice, OfAnAddressOfNobodyIsNone) {
    const NetworkDevice device = device_of(SocketAddress::from_literal("192.0.2.1", 0));
    EXPECT_EQ(device.name, "");
    EXPECT_TRUE(device.offloads.empty());
}

TEST(LocalAddress, TowardsThisHostIsItself) {
    const SocketAddress local = local_address_towards(SocketAddress::from_literal("127.0.0.1", 9000));
    EXPECT_EQ(local, SocketAddress::from_literal("127.0.0.1", 0));
}

TEST(AboutHost, SaysWhatIsKnownAndLeavesOutTheRest) {
    const auto about = about_host(SocketAddress::from_literal("127.0.0.1", 0));
    EXPECT_THAT(about.at("kernel"), testing::StartsWith("Linux "));
    EXPECT_THAT(about.at("network device"), testing::StartsWith("lo ("));
    for (const auto& [name, value] : about) {
        EXPECT_NE(value, "") << name;
    }
    EXPECT_FALSE(about_host(SocketAddress()).contains("network device"));
}

}  // namespace
}  // namespace groma
