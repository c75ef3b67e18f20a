// Behaviour that all transports share, over loopback. SCTP and DCCP are not in every kernel: they are tested with the
// programs, in a kernel that has them (tests/e2e/transports_test.py).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "tests/common/net/over_every_transport.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using namespace loopback;

class EveryTransport : public OverTransport {};

INSTANTIATE_TEST_SUITE_P(Over, EveryTransport, every_way(), name_of_way);

TEST_P(EveryTransport, CarriesPacketsOfEverySizeInOrder) {
    const auto inbox = open_inbox(inbox_spec(transport(), host()), kernel_clock());
    const auto channel = open_channel({transport(), {}, inbox->local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(transport());
    std::uint32_t seq = 0;
    for (const std::size_t size : {30U, 31U, 21U, 1400U, 9000U, 60000U, 24U}) {
        ASSERT_EQ(channel->send(maker.next(1, size)).sent, 1U) << size;
        const auto arrivals = receive(*inbox, 1);
        ASSERT_EQ(arrivals.size(), 1U) << size;
        EXPECT_EQ(arrivals[0].size, size);
        EXPECT_EQ(arrivals[0].header.seq, seq++);
        EXPECT_EQ(arrivals[0].header.flow, kFlow);
    }
    EXPECT_EQ(inbox->counts().malformed + inbox->counts().foreign, 0U);
}

TEST_P(EveryTransport, CarriesBatches) {
    const auto inbox = open_inbox(inbox_spec(transport(), host()), kernel_clock());
    const auto channel = open_channel({transport(), {}, inbox->local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(transport());
    std::uint32_t expected = 0;
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(channel->send(maker.next(70, 64)).sent, 70U);
        for (const Arrival& arrival : receive(*inbox, 70)) {
            ASSERT_EQ(arrival.header.seq, expected++);
        }
    }
    EXPECT_EQ(expected, 20U * 70U);
}

TEST_P(EveryTransport, TwoFlowsDoNotSeeEachOther) {
    const auto first = open_inbox(inbox_spec(transport(), host()), kernel_clock());
    InboxSpec other = inbox_spec(transport(), host());
    other.flow = FlowId{8};
    const auto second = open_inbox(other, kernel_clock());
    ASSERT_NE(first->local_address().port(), second->local_address().port());
    const auto channel = open_channel({transport(), {}, second->local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(transport(), FlowId{8});
    ASSERT_EQ(channel->send(maker.next(5, 100)).sent, 5U);
    EXPECT_EQ(receive(*second, 5).size(), 5U);
    std::array<Arrival, 4> out{};
    EXPECT_EQ(first->drain(out), 0U);
    EXPECT_EQ(first->counts().malformed, 0U);
}

TEST(Transports, ThatTheKernelLacksAreRefusedWithAdvice) {
    for (const Transport transport : {Transport::sctp, Transport::dccp}) {
        const std::string fault = receiving_error(transport, at(kIpv4));
        if (fault.empty()) {
            continue;  // this kernel has it
        }
        EXPECT_THAT(fault, testing::HasSubstr("modprobe"));
        EXPECT_THROW((void)open_inbox(inbox_spec(transport), kernel_clock()), SystemError);
        EXPECT_THROW((void)open_channel({transport, {}, at(kIpv4, 9), kPlenty}, kernel_clock()), SystemError);
    }
}

}  // namespace
}  // namespace groma
