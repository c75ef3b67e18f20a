#include "common/shipping/shipper/shipping_remarks.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

const std::string kPeer = "log server c:9001 (tcp)";

TEST(ShippingRemarks, AConnectionThatStaysLostIsToldOnce) {
    ShippingRemarks remarks(kPeer, true);
    EXPECT_EQ(remarks.connected(), "") << "the first time is no news";
    EXPECT_EQ(remarks.lost("reset by peer"),
              "reset by peer; the log goes to the spool until the log server c:9001 (tcp) is back");
    EXPECT_EQ(remarks.lost("refused"), "");
    EXPECT_EQ(remarks.connected(), "connected to the log server c:9001 (tcp) again");
    EXPECT_EQ(remarks.connected(), "");
    EXPECT_NE(remarks.lost("reset by peer"), "");
}

TEST(ShippingRemarks, AHoldOfManyLogsIsToldOnce) {
    ShippingRemarks remarks(kPeer, false);
    EXPECT_EQ(remarks.going_on(), "");
    EXPECT_EQ(remarks.held("the disk is full"),
              "the log server c:9001 (tcp) takes nothing for now: the disk is full; the log waits in memory");
    EXPECT_EQ(remarks.held("the disk is full"), "");
    EXPECT_EQ(remarks.going_on(), "the log server c:9001 (tcp) takes logs again");
    EXPECT_EQ(remarks.going_on(), "");
}

TEST(ShippingRemarks, AFullSpoolIsToldOnceUntilTheServerIsBack) {
    ShippingRemarks remarks(kPeer, true);
    EXPECT_EQ(remarks.spool_full("the spool is full"), "the spool is full; the log waits in memory");
    EXPECT_EQ(remarks.spool_full("the spool is full"), "");
    (void)remarks.connected();
    EXPECT_NE(remarks.spool_full("the spool is full"), "");
}

}  // namespace
}  // namespace groma
