#include "common/net/stamps/transmit_stamps.hpp"

#include <gtest/gtest.h>

#include <set>

#include "common/net/udp/udp_channel.hpp"
#include "common/net/udp/udp_inbox.hpp"
#include "common/os/system_clock.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using loopback::at;
using loopback::FrameMaker;
using loopback::inbox_spec;
using loopback::kIpv4;
using loopback::kIpv6;

TransportOptions with_stamps(StampSource source) {
    TransportOptions options;
    options.sent_stamps = source;
    return options;
}

std::vector<TransmitStamp> all_stamps(Channel& channel) {
    std::vector<TransmitStamp> all;
    std::array<TransmitStamp, 7> some{};
    while (const std::size_t count = channel.take_transmit_stamps(some)) {
        all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
    }
    return all;
}

class TransmitStampsOver : public testing::TestWithParam<std::string_view> {};

TEST_P(TransmitStampsOver, EveryPacketHasOneBetweenItsCallAndItsReturn) {
    UdpInbox inbox(inbox_spec(Transport::udp, GetParam()), kernel_clock());
    UdpChannel channel({Transport::udp, with_stamps(StampSource::kernel), inbox.local_address(), loopback::kPlenty});
    FrameMaker maker(Transport::udp);
    SystemClock clock;
    const WallTime before = clock.wall_now();
    ASSERT_EQ(channel.send(maker.next(50, 64)).sent, 50U);
    const WallTime behind = clock.wall_now();
    std::set<std::uint32_t> numbers;
    for (const TransmitStamp& stamp : all_stamps(channel)) {
        EXPECT_TRUE(numbers.insert(stamp.seq).second) << stamp.seq << " came twice";
        EXPECT_GE(stamp.at, before);
        EXPECT_LE(stamp.at, behind);
    }
    EXPECT_EQ(numbers.size(), 50U);
    EXPECT_EQ(*numbers.rbegin(), 49U);
}

INSTANTIATE_TEST_SUITE_P(Families, TransmitStampsOver, testing::Values(kIpv4, kIpv6),
                         [](const auto& family) { return family.param == kIpv4 ? "IPv4" : "IPv6"; });

TEST(TransmitStamps, ReportsOfErrorsDoNotTakeThemAwayAndAreStillCounted) {
    std::optional<UdpInbox> inbox(std::in_place, inbox_spec(Transport::udp), kernel_clock());
    UdpChannel channel({Transport::udp, with_stamps(StampSource::kernel), inbox->local_address(), loopback::kPlenty});
    inbox.reset();  // the port is closed now
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel.send(maker.next(1, 64)).status, SendStatus::sent);
    const SendOutcome outcome = channel.send(maker.next(1, 64));
    EXPECT_EQ(outcome.sent, 1U);
    EXPECT_EQ(outcome.status, SendStatus::refused);
    EXPECT_EQ(all_stamps(channel).size(), 2U);
}

TEST(TransmitStamps, WithoutHardwareTheKernelsAreTakenAndItIsSaid) {
    UdpInbox inbox(inbox_spec(Transport::udp), kernel_clock());
    UdpChannel channel({Transport::udp, with_stamps(StampSource::hardware), inbox.local_address(), loopback::kPlenty});
    ASSERT_EQ(channel.warnings().size(), 1U);
    EXPECT_TRUE(channel.warnings()[0].starts_with("no hardware stamps of packets that leave at lo: "))
        << channel.warnings()[0];
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel.send(maker.next(3, 64)).sent, 3U);
    EXPECT_EQ(all_stamps(channel).size(), 3U);
}

TEST(TransmitStamps, ThereAreNoneUnlessTheyAreAskedFor) {
    UdpInbox inbox(inbox_spec(Transport::udp), kernel_clock());
    UdpChannel channel({Transport::udp, {}, inbox.local_address(), loopback::kPlenty});
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel.send(maker.next(3, 64)).sent, 3U);
    EXPECT_TRUE(all_stamps(channel).empty());
}

}  // namespace
}  // namespace groma
