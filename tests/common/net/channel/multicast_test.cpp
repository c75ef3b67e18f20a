#include "common/net/channel/multicast.hpp"
#include "common/net/flow_sockets.hpp"

#include <gmock/gmock.h>

#include "common/base/errors.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using namespace loopback;

TransportOptions to_group(std::string_view group) {
    TransportOptions options;
    options.group = group;
    return options;
}

TEST(Multicast, KnowsItsAddresses) {
    for (const char* group : {"224.0.0.1", "239.255.255.255", "ff02::1", "ff35::8000:1"}) {
        EXPECT_TRUE(at(group).is_multicast()) << group;
        EXPECT_EQ(group_of(to_group(group), 5000), at(group, 5000));
    }
    for (const char* host : {"223.255.255.255", "240.0.0.1", "127.0.0.1", "fe80::1", "::1"}) {
        EXPECT_FALSE(at(host).is_multicast()) << host;
        EXPECT_THROW((void)group_of(to_group(host), 5000), UsageError) << host;
    }
}

TEST(Multicast, FindsTheAddressOfThisHostOnTheWayToAnother) {
    EXPECT_EQ(address_towards(at(kIpv4, 9000)), at(kIpv4));
    EXPECT_EQ(address_towards(at(kIpv6, 9000)), at(kIpv6));
}

TEST(Multicast, RefusesAGroupOfAnotherFamilyThanItsReceiver) {
    InboxSpec spec = inbox_spec(Transport::udp);
    spec.options.group = "ff15::1";
    spec.bind_to = at(kIpv4, 5000);
    EXPECT_THROW((void)open_inbox(spec, kernel_clock()), UsageError);
}

TEST(Multicast, ReachesEverySocketThatJoined) {
    InboxSpec spec = inbox_spec(Transport::udp);
    spec.options.group = "239.1.2.3";
    // A port that was free a moment ago; both inboxes share it, as two receivers of one host do.
    spec.bind_to = open_inbox(inbox_spec(Transport::udp), kernel_clock())->local_address();
    const auto first = open_inbox(spec, kernel_clock());
    const auto second = open_inbox(spec, kernel_clock());
    TransportOptions options = to_group("239.1.2.3");
    options.source = std::string(kIpv4);
    const auto channel =
        open_channel({Transport::udp, options, group_of(options, spec.bind_to.port()), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    ASSERT_EQ(channel->send(maker.next(3, 100)).sent, 3U);
    EXPECT_EQ(receive(*first, 3).size(), 3U);
    EXPECT_EQ(receive(*second, 3).size(), 3U);
    EXPECT_EQ(first->counts().foreign, 0U);
}

}  // namespace
}  // namespace groma
