#include "common/net/socket/kernel_stamps.hpp"

#include <gtest/gtest.h>

#include "common/net/flow_sockets.hpp"
#include "common/net/udp/udp_inbox.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using loopback::at;
using loopback::FrameMaker;
using loopback::inbox_spec;
using loopback::kIpv4;
using loopback::kIpv6;
using loopback::receive;

/// One packet from this host to itself, with these options at either end.
Arrival arrival(InboxSpec spec, const TransportOptions& sending, std::string* timestamps = nullptr) {
    UdpInbox inbox(spec, kernel_clock());
    const auto channel =
        open_channel({Transport::udp, sending, inbox.local_address(), loopback::kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    EXPECT_EQ(channel->send(maker.next(1, 64)).sent, 1U);
    const auto arrivals = receive(inbox, 1);
    if (timestamps != nullptr) {
        *timestamps = inbox.timestamps();
    }
    return arrivals.empty() ? Arrival{} : arrivals[0];
}

class ArrivalHeaderOver : public testing::TestWithParam<std::string_view> {};

TEST_P(ArrivalHeaderOver, TtlAndDsByteAreThoseOfThePacket) {
    InboxSpec spec = inbox_spec(Transport::udp, GetParam());
    spec.options.arrival_header = true;
    TransportOptions options;
    options.ttl = 37;
    options.ds_byte = 0xb8;
    const Arrival got = arrival(spec, options);
    EXPECT_EQ(got.ttl, 37);
    EXPECT_EQ(got.ds_byte, 0xb8);
}

TEST_P(ArrivalHeaderOver, NothingIsSaidOfWhatWasNotAskedFor) {
    const Arrival got = arrival(inbox_spec(Transport::udp, GetParam()), {});
    EXPECT_EQ(got.ttl, 0);
    EXPECT_EQ(got.ds_byte, 0);
}

INSTANTIATE_TEST_SUITE_P(Families, ArrivalHeaderOver, testing::Values(kIpv4, kIpv6),
                         [](const auto& family) { return family.param == kIpv4 ? "IPv4" : "IPv6"; });

TEST(ArrivalHeader, OfIpv4OnASocketOfIpv6IsSaidToo) {
    InboxSpec spec = inbox_spec(Transport::udp);
    spec.bind_to = at("::");
    spec.options.arrival_header = true;
    UdpInbox inbox(spec, kernel_clock());
    TransportOptions options;
    options.ttl = 38;
    const auto channel = open_channel(
        {Transport::udp, options, at(kIpv4, inbox.local_address().port()), loopback::kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel->send(maker.next(1, 64)).sent, 1U);
    const auto arrivals = receive(inbox, 1);
    ASSERT_EQ(arrivals.size(), 1U);
    EXPECT_EQ(arrivals[0].ttl, 38);
}

TEST(ArrivalStamps, OfTheUserAreTakenHereAndCountAsNothingMissing) {
    InboxSpec spec = inbox_spec(Transport::udp);
    spec.options.arrival_stamps = StampSource::user;
    UdpInbox inbox(spec, kernel_clock());
    const auto channel = open_channel({Transport::udp, {}, inbox.local_address(), loopback::kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel->send(maker.next(2, 64)).sent, 2U);
    const auto arrivals = receive(inbox, 2);
    ASSERT_EQ(arrivals.size(), 2U);
    EXPECT_EQ(inbox.timestamps(), "user");
    EXPECT_EQ(inbox.counts().unstamped, 0U);
    EXPECT_GT(arrivals[0].received_at, FrameMaker::sent_at(0));
    EXPECT_EQ(arrivals[0].received_at, arrivals[1].received_at) << "of one batch";
}

TEST(ArrivalStamps, WithoutHardwareTheKernelsAreTakenAndItIsSaid) {
    InboxSpec spec = inbox_spec(Transport::udp);
    spec.options.arrival_stamps = StampSource::hardware;
    UdpInbox inbox(spec, kernel_clock());
    EXPECT_EQ(inbox.timestamps(), "kernel software");
    ASSERT_EQ(inbox.warnings().size(), 1U);
    EXPECT_NE(inbox.warnings()[0].find("no hardware stamps of packets that arrive at lo"), std::string::npos)
        << inbox.warnings()[0];
    EXPECT_NE(inbox.warnings()[0].find("the kernel's are recorded"), std::string::npos);
    std::string timestamps;
    (void)arrival(spec, {}, &timestamps);
    EXPECT_EQ(timestamps, "kernel software");
}

TEST(ArrivalStamps, AnAddressOfNoInterfaceHasNoHardware) {
    const FileDescriptor socket(::socket(AF_INET, SOCK_DGRAM, 0));
    const StampSettings settings =
        switch_on_stamps(socket, StampDirection::leaving, StampSource::hardware, at("192.0.2.77"));
    EXPECT_EQ(settings.source, StampSource::kernel);
    EXPECT_NE(settings.warning.find("no interface has the address 192.0.2.77"), std::string::npos) << settings.warning;
}

}  // namespace
}  // namespace groma
