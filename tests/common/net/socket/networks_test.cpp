#include "common/net/socket/networks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

bool contain(std::string_view networks, std::string_view address) {
    return parse_networks(networks).contain(SocketAddress::from_literal(address, 9000));
}

TEST(Networks, ContainWhatBeginsAsTheyDo) {
    EXPECT_TRUE(contain("10.0.0.0/8", "10.255.1.2"));
    EXPECT_FALSE(contain("10.0.0.0/8", "11.0.0.1"));
    EXPECT_TRUE(contain("10.0.0.0/9", "10.127.255.255"));
    EXPECT_FALSE(contain("10.0.0.0/9", "10.128.0.0"));
    EXPECT_TRUE(contain("10.0.0.2", "10.0.0.2"));
    EXPECT_FALSE(contain("10.0.0.2/32", "10.0.0.3"));
    EXPECT_TRUE(contain("192.168.0.0/16,fd00::/8", "fdab::1"));
    EXPECT_FALSE(contain("fd00::/8", "fe80::1"));
    EXPECT_TRUE(contain("fe80::/10", "fe80::1%lo")) << "an interface does not matter";
    EXPECT_TRUE(contain("0.0.0.0/0", "8.8.8.8"));
    EXPECT_FALSE(contain("0.0.0.0/0", "fd00::1")) << "of IPv4 are all";
    EXPECT_FALSE(contain("::/0", "8.8.8.8")) << "nor of IPv6";
    EXPECT_TRUE(contain("::/0", "fd00::1"));
    for (const char* const wide : {"0.0.0.0/0", "::/0", "192.0.0.0/2", "f000::/4"}) {
        EXPECT_FALSE(contain(wide, "224.0.0.251") or contain(wide, "ff02::1")) << "groups are named";
    }
    EXPECT_TRUE(contain("224.0.0.0/4", "239.1.2.3"));
    EXPECT_TRUE(contain("ff00::/8", "ff02::1"));
    EXPECT_TRUE(contain("10.0.0.0/8", "::ffff:10.1.2.3"));
    EXPECT_TRUE(contain("10.1.2.3/8", "10.200.0.1")) << "only the bits that count do";
    EXPECT_FALSE(Networks().contain(SocketAddress::from_literal("10.0.0.1", 0)));
}

TEST(Networks, AreWrittenAsTheyAreRead) {
    for (const char* const text :
         {"10.0.0.0/8", "10.0.0.2", "fd00::/8", "::1", "0.0.0.0/0", "10.0.0.0/8,fd00::/8,239.1.2.3"}) {
        EXPECT_EQ(to_string(parse_networks(text)), text);
        EXPECT_EQ(parse_networks(to_string(parse_networks(text))), parse_networks(text));
    }
    EXPECT_EQ(to_string(parse_networks("10.0.0.0/8+fd00::/8", '+'), '+'), "10.0.0.0/8+fd00::/8");
}

TEST(Networks, WhatIsNoneIsRefused) {
    for (const char* const text : {"", ",", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8x", "fd00::/129",
                                   "host", "10.0.0.0/8,", "fe80::%lo/10", "10.0.0.0/8 ", "10.0.0.0/08.0"}) {
        EXPECT_THROW((void)parse_networks(text), UsageError) << text;
    }
    std::string many = "10.0.0.1";
    for (int i = 0; i < 64; ++i) {
        many += ",10.0.0.1";
    }
    EXPECT_THROW((void)parse_networks(many), UsageError);
}

}  // namespace
}  // namespace groma
