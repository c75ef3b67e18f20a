#include "common/shipping/shipper/shipping_warnings.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

const std::string kPeer = "log server c:9001 (tcp)";

TEST(ShippingWarnings, AConnectionThatStaysLostIsToldOnce) {
    ShippingWarnings warnings(kPeer, true);
    EXPECT_EQ(warnings.connected(), "") << "the first time is no news";
    EXPECT_EQ(warnings.lost("reset by peer"),
              "reset by peer; the log goes to the spool until the log server c:9001 (tcp) is back");
    EXPECT_EQ(warnings.lost("refused"), "");
    EXPECT_EQ(warnings.connected(), "connected to the log server c:9001 (tcp) again");
    EXPECT_EQ(warnings.connected(), "");
    EXPECT_NE(warnings.lost("reset by peer"), "");
}

TEST(ShippingWarnings, AHoldOfManyLogsIsToldOnce) {
    ShippingWarnings warnings(kPeer, false);
    EXPECT_EQ(warnings.going_on(), "");
    EXPECT_EQ(warnings.held("the disk is full"),
              "the log server c:9001 (tcp) takes nothing for now: the disk is full; the log waits in memory");
    EXPECT_EQ(warnings.held("the disk is full"), "");
    EXPECT_EQ(warnings.going_on(), "the log server c:9001 (tcp) takes logs again");
    EXPECT_EQ(warnings.going_on(), "");
}

TEST(ShippingWarnings, AFullSpoolIsToldOnceUntilTheServerIsBack) {
    ShippingWarnings warnings(kPeer, true);
    EXPECT_EQ(warnings.spool_full("the spool is full"), "the spool is full; the log waits in memory");
    EXPECT_EQ(warnings.spool_full("the spool is full"), "");
    (void)warnings.connected();
    EXPECT_NE(warnings.spool_full("the spool is full"), "");
}

}  // namespace
}  // namespace groma
