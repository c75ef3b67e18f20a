#include "common/net/socket/socket_address.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/un.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

SocketAddress at(std::string_view literal, std::uint16_t port = 0) {
    return SocketAddress::from_literal(literal, port);
}

TEST(SocketAddress, IsWrittenAsPeopleWriteIt) {
    EXPECT_EQ(at("10.0.0.1", 8999).to_string(), "10.0.0.1:8999");
    EXPECT_EQ(at("fd99::2", 8999).to_string(), "[fd99::2]:8999");
    EXPECT_EQ(at("[fd99::2]", 1).host_to_string(), "fd99::2");
    EXPECT_EQ(SocketAddress().to_string(), "(no address):0");
}

TEST(SocketAddress, KeepsThePortItIsGiven) {
    EXPECT_EQ(at("127.0.0.1", 65535).port(), 65535);
    EXPECT_EQ(at("::1", 8999).with_port(9000), at("::1", 9000));
}

TEST(SocketAddress, WhatIsNoLiteralIsAUsageErrorWithAnExample) {
    for (const std::string_view text : {"", "localhost", "10.0.0", "1", "10.0.0.256", "fd99::2::1", "[10.0.0.1"}) {
        try {
            const SocketAddress address = at(text);
            FAIL() << "'" << text << "' was taken for " << address.to_string();
        } catch (const UsageError& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("such as 10.0.0.1"));
        }
    }
}

TEST(SocketAddress, ALiteralWithAZeroByteInItIsNotCutThere) {
    EXPECT_THROW((void)at(std::string_view("10.0.0.1\0x", 10)), UsageError);
}

TEST(SocketAddress, KnowsLoopback) {
    EXPECT_TRUE(at("127.0.0.1").is_loopback());
    EXPECT_TRUE(at("127.8.9.10").is_loopback());
    EXPECT_TRUE(at("::1").is_loopback());
    EXPECT_TRUE(at("::ffff:127.0.0.1").is_loopback());
    EXPECT_FALSE(at("10.0.0.1").is_loopback());
    EXPECT_FALSE(at("::").is_loopback());
    EXPECT_FALSE(SocketAddress().is_loopback());
}

TEST(SocketAddress, KnowsTheAddressesThatMeanAll) {
    EXPECT_TRUE(at("0.0.0.0").is_unspecified());
    EXPECT_TRUE(at("::").is_unspecified());
    EXPECT_FALSE(at("::1").is_unspecified());
    EXPECT_FALSE(SocketAddress().is_unspecified());
}

TEST(SocketAddress, TheSameHostIsTheSameFromAnyPortAndAlsoMapped) {
    EXPECT_TRUE(at("10.0.0.1", 1).same_host(at("10.0.0.1", 2)));
    EXPECT_TRUE(at("::ffff:10.0.0.1").same_host(at("10.0.0.1")));
    EXPECT_FALSE(at("10.0.0.1").same_host(at("10.0.0.2")));
    EXPECT_FALSE(at("::1").same_host(at("127.0.0.1")));
    EXPECT_FALSE(SocketAddress().same_host(SocketAddress()));
}

TEST(SocketAddress, EqualityMindsFamilyHostAndPort) {
    EXPECT_EQ(at("10.0.0.1", 1), at("10.0.0.1", 1));
    EXPECT_NE(at("10.0.0.1", 1), at("10.0.0.1", 2));
    EXPECT_NE(at("10.0.0.1", 1), at("::ffff:10.0.0.1", 1));
}

TEST(SocketAddress, AddressesOfOtherFamiliesAreNotValid) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    EXPECT_FALSE(SocketAddress(reinterpret_cast<const sockaddr*>(&address), sizeof address).valid());
    EXPECT_FALSE(SocketAddress(at("::1").data(), 16).valid()) << "too short for IPv6";
}

TEST(Resolve, TakesLiteralsWithoutAskingAnyone) {
    EXPECT_EQ(resolve("192.0.2.7", 53), at("192.0.2.7", 53));
    EXPECT_EQ(resolve("[2001:db8::1]", 53), at("2001:db8::1", 53));
}

TEST(Resolve, FindsThisHost) {
    EXPECT_TRUE(resolve("localhost", 9000).is_loopback());
    EXPECT_EQ(resolve("localhost", 9000).port(), 9000);
}

TEST(Resolve, SaysWhichHostCannotBeFoundAndWhatToDo) {
    for (const std::string_view name :
         {std::string_view("no such host.invalid"), std::string_view("local\0host", 10), std::string_view("")}) {
        try {
            FAIL() << resolve(name, 1).to_string();
        } catch (const RunError& error) {
            EXPECT_THAT(error.what(), testing::StartsWith("cannot find the host "));
            EXPECT_THAT(error.what(), testing::HasSubstr("give its address"));
        }
    }
}

}  // namespace
}  // namespace groma
